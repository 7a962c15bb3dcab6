import { createS3Client } from "../../shared/aws/s3-client.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { zodTrajectoryReader } from "../../shared/schema/zod-trajectory-reader.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoPromptImageStore } from "../../shared/storage/prompt-image/dynamo-prompt-image-store.ts";
import { DynamoRecordingStore } from "../../shared/storage/recording/dynamo-recording-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { createTrajectoriesApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "BUCKET_NAME", "STEP_DAYS"]);
const { http, table } = createHttpParts(env);
const stored = { table, clock: http.clock };
const tableId = rememberedTableId(table);
const files = new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME, tableId });
const trajectories = new DynamoTrajectoryStore(stored);
const runs = new DynamoRunStore(stored);
const executions = new DynamoExecutionStore(stored);
const stores = { workflows: new DynamoWorkflowStore(stored), tags: new DynamoTagStore(stored) };
const promptImages = new DynamoPromptImageStore(stored);

export const handler = lambdaHandler(
  createTrajectoriesApp({
    ...http,
    files,
    trajectories,
    ...stores,
    runs,
    executions,
    promptImages,
    machines: new DynamoMachineStore(stored),
    recordings: new DynamoRecordingStore({ ...stored, stepDays: env.STEP_DAYS }),
    trajectoryReader: zodTrajectoryReader,
    pictures: pngCodec,
  }),
  http,
);
