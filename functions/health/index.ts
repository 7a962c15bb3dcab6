import { absentFileStore } from "../../shared/files/absent-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { probeTable } from "../../shared/storage/table/probe-table.ts";
import { createHealthApp } from "./app.ts";

const env = readEnvironment([
  ...httpVariables,
  "WEBSOCKET_CALLBACK_URL",
  "SERVICE_VERSION",
  "ORGANIZATION_CALLS_MAX",
]);
const { http, table } = createHttpParts(env);
const callbackUrl = env.WEBSOCKET_CALLBACK_URL;
const tunnel = createTunnelParts({ http, table, callbackUrl, files: absentFileStore });
const probeDatabase = () => probeTable(table);

export const handler = lambdaHandler(
  createHealthApp({
    ...http,
    ...tunnel,
    probeDatabase,
    version: env.SERVICE_VERSION,
    organizationCallsMax: env.ORGANIZATION_CALLS_MAX,
  }),
  http,
);
