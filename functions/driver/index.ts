import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createSigner } from "../../shared/secrets/create-signer.ts";
import { DynamoTicketStore } from "../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { createDriverApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "TUNNEL_KEY_SECRET", "WEBSOCKET_URL"]);
const { http, table, secretsClient: client } = createHttpParts(env);
const { clock } = http;

export const handler = lambdaHandler(
  createDriverApp({
    ...http,
    machines: new DynamoMachineStore({ table, clock }),
    tickets: new DynamoTicketStore({ table, clock }),
    signer: createSigner({ client, secretId: env.TUNNEL_KEY_SECRET, clock }),
    websocketUrl: env.WEBSOCKET_URL,
  }),
  http,
);
