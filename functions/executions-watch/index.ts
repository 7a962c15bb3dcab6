import { createDynamoDbClient } from "../../shared/aws/dynamodb-client.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { readJobOf } from "../../shared/execution/lambda-executions.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { createExecutionsWatch } from "./app.ts";

const environment = readEnvironment(["TABLE_NAME", ...logVariables]);
const table = new DynamoTable({ client: createDynamoDbClient(), tableName: environment.TABLE_NAME, clock });
const lambda = createLambdaClient();

export const handler = createExecutionsWatch({
  readJobOf: async (arn) => await readJobOf(lambda, arn),
  executions: new DynamoExecutionStore({ table, clock }),
  runs: new DynamoRunStore({ table, clock }),
  clock,
  logger: createStdoutLogger(environment),
});
