import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { LambdaHelper } from "../../shared/execution/lambda-helper.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoInputSourceStore } from "../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoDueScheduleStore } from "../../shared/storage/schedule/dynamo-due-schedule-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createScheduler } from "./app.ts";

const environment = readEnvironment([
  ...tableVariables,
  "BUCKET_NAME",
  "AWS_LAMBDA_FUNCTION_NAME",
  ...logVariables,
]);
const table = createTable(environment, { clock });
const stored = { table, clock };

export const handler = createScheduler({
  dueSchedules: new DynamoDueScheduleStore(stored),
  apiKeys: new DynamoApiKeyStore(stored),
  runs: new DynamoRunStore(stored),
  modelConfigurations: new DynamoModelConfigurationStore(stored),
  inputSources: new DynamoInputSourceStore(stored),
  inputChecker: new AjvInputChecker(stored),
  files: new S3FileStore({
    client: createS3Client(),
    bucket: environment.BUCKET_NAME,
    tableId: rememberedTableId(table),
  }),
  helper: new LambdaHelper({
    client: createLambdaClient(),
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
  }),
  logger: createStdoutLogger(environment),
  clock,
});
