import { createS3Client } from "../../shared/aws/s3-client.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createRunAttachmentsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "BUCKET_NAME", "ATTACHMENT_DAYS"]);
const { http, table } = createHttpParts(env);

export const handler = lambdaHandler(
  createRunAttachmentsApp({
    ...http,
    attachments: new DynamoAttachmentStore({ table, clock: http.clock }),
    files: new S3FileStore({
      client: createS3Client(),
      bucket: env.BUCKET_NAME,
      tableId: rememberedTableId(table),
    }),
    attachmentDays: env.ATTACHMENT_DAYS,
  }),
  http,
);
