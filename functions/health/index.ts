import { createDynamoDbClient } from "../../shared/aws/dynamodb-client.ts";
import { serviceCalls as calls } from "../../shared/aws/metered.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { probeTable } from "../../shared/storage/table/probe-table.ts";
import { createHealthApp } from "./app.ts";

const env = readEnvironment(["TABLE_NAME", "SERVICE_VERSION", ...logVariables]);
const table = new DynamoTable({ client: createDynamoDbClient(), tableName: env.TABLE_NAME, clock });
const http = { logger: createStdoutLogger(env), calls, clock, ids };
const probeDatabase = () => probeTable(table);

export const handler = lambdaHandler(
  createHealthApp({ ...http, probeDatabase, version: env.SERVICE_VERSION }),
  http,
);
