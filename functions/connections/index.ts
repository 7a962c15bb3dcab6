import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { createConnectionsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "WEBSOCKET_CALLBACK_URL"]);
const { http, table } = createHttpParts(env);
const { clock } = http;

export const handler = lambdaHandler(
  createConnectionsApp({
    ...http,
    connections: new DynamoConnectionStore({ table }),
    sockets: createApiGatewaySocketGateway({ callbackUrl: env.WEBSOCKET_CALLBACK_URL, clock }),
  }),
  http,
);
