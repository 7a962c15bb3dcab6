import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoLiveTicketStore } from "../../shared/storage/live/dynamo-live-ticket-store.ts";
import { DynamoViewerStore } from "../../shared/storage/live/dynamo-viewer-store.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { mintLiveTicket } from "../../shared/tunnel/live-ticket-text.ts";
import { createConnectionsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "WEBSOCKET_CALLBACK_URL", "WEBSOCKET_URL"]);
const { http, table } = createHttpParts(env);
const { clock } = http;

export const handler = lambdaHandler(
  createConnectionsApp({
    ...http,
    connections: new DynamoConnectionStore({ table }),
    liveTickets: new DynamoLiveTicketStore({ table, clock }),
    viewers: new DynamoViewerStore({ table, clock }),
    mintLiveTicket,
    websocketUrl: env.WEBSOCKET_URL,
    sockets: createApiGatewaySocketGateway({ callbackUrl: env.WEBSOCKET_CALLBACK_URL, clock }),
  }),
  http,
);
