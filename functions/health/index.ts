import { serviceCalls as calls } from "../../shared/aws/metered.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { probeTable } from "../../shared/storage/table/probe-table.ts";
import { createHealthApp } from "./app.ts";

const env = readEnvironment([...tableVariables, "SERVICE_VERSION", ...logVariables]);
const table = createTable(env, { clock });
const http = { logger: createStdoutLogger(env), calls, clock, ids };
const probeDatabase = () => probeTable(table);

export const handler = lambdaHandler(
  createHealthApp({ ...http, probeDatabase, version: env.SERVICE_VERSION }),
  http,
);
