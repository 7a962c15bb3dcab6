import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoTicketStore } from "../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { createDriverApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "WEBSOCKET_URL"]);
const { http, table } = createHttpParts(env);
const { clock } = http;

export const handler = lambdaHandler(
  createDriverApp({
    ...http,
    machines: new DynamoMachineStore({ table, clock }),
    tickets: new DynamoTicketStore({ table, clock }),
    websocketUrl: env.WEBSOCKET_URL,
  }),
  http,
);
