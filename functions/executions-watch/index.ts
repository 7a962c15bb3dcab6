import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { readJobOf } from "../../shared/execution/lambda-executions.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { createExecutionsWatch } from "./app.ts";

const environment = readEnvironment([...tableVariables, ...logVariables]);
const table = createTable(environment, { clock });
const lambda = createLambdaClient();

export const handler = createExecutionsWatch({
  readJobOf: async (arn) => await readJobOf(lambda, arn),
  executions: new DynamoExecutionStore({ table, clock }),
  runs: new DynamoRunStore({ table, clock }),
  clock,
  logger: createStdoutLogger(environment),
});
