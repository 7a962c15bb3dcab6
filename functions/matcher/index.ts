import { isPassing } from "../../shared/aws/aws-failure.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { createSqsClient } from "../../shared/aws/sqs-client.ts";
import { SqsSetAside } from "../../shared/events/sqs-set-aside.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { DynamoMatchStore } from "../../shared/storage/matching/dynamo-match-store.ts";
import { servicePlacesOf } from "../../shared/storage/matching/dynamo-service-places.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { readMatchTrigger, triggerAttributes } from "../../shared/storage/stream/match-triggers.ts";
import { reduceRecord } from "../../shared/storage/stream/reduce-record.ts";
import type { TableStreamRecord } from "../../shared/storage/stream/stream-changes.ts";
import { createMatcher } from "./app.ts";

const environment = readEnvironment([
  ...tableVariables,
  "BUCKET_NAME",
  "EXECUTOR_ARN",
  "ORGANIZATION_EXECUTIONS_MAX",
  "SERVICE_EXECUTIONS_MAX",
  "SET_ASIDE_QUEUE_URL",
  ...logVariables,
]);
const table = createTable(environment, { clock });
const servicePlaces = servicePlacesOf({
  table,
  clock,
  serviceExecutionsMax: environment.SERVICE_EXECUTIONS_MAX,
});

export const handler = createMatcher({
  readTrigger: readMatchTrigger,
  matches: new DynamoMatchStore({
    table,
    organizationExecutionsMax: environment.ORGANIZATION_EXECUTIONS_MAX,
    servicePlaces,
  }),
  servicePlaces,
  modelConfigurations: new DynamoModelConfigurationStore({ table, clock }),
  runs: new DynamoRunStore({ table, clock }),
  files: new S3FileStore({ client: createS3Client(), bucket: environment.BUCKET_NAME }),
  starter: new LambdaExecutions({ client: createLambdaClient(), executor: environment.EXECUTOR_ARN }),
  checker: new AjvInputChecker({ clock }),
  isPassing,
  setAside: new SqsSetAside<TableStreamRecord>({
    client: createSqsClient(),
    queueUrl: environment.SET_ASIDE_QUEUE_URL,
    reduce: (record) => reduceRecord(record, triggerAttributes()),
  }),
  clock,
  ids,
  logger: createStdoutLogger(environment),
});
