import { createS3Client } from "../../shared/aws/s3-client.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoInputSourceStore } from "../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoScheduleStore } from "../../shared/storage/schedule/dynamo-schedule-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createSchedulesApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "BUCKET_NAME"]);
const { http, table } = createHttpParts(env);
const stored = { table, clock: http.clock };

export const handler = lambdaHandler(
  createSchedulesApp({
    ...http,
    schedules: new DynamoScheduleStore(stored),
    runs: new DynamoRunStore(stored),
    modelConfigurations: new DynamoModelConfigurationStore(stored),
    inputSources: new DynamoInputSourceStore(stored),
    inputChecker: new AjvInputChecker(http),
    files: new S3FileStore({
      client: createS3Client(),
      bucket: env.BUCKET_NAME,
      tableId: rememberedTableId(table),
    }),
  }),
  http,
);
