import { absentFileStore } from "../../shared/files/absent-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { createMachinesApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "DEPLOYMENT", "WEBSOCKET_CALLBACK_URL"]);
const { http, table, secretsClient } = createHttpParts(env);
const callbackUrl = env.WEBSOCKET_CALLBACK_URL;
const tunnel = createTunnelParts({ http, table, callbackUrl, files: absentFileStore });
const secrets = new SecretsManagerSecretStore({ client: secretsClient, deployment: env.DEPLOYMENT });

export const handler = lambdaHandler(createMachinesApp({ ...http, ...tunnel, secrets }), http);
