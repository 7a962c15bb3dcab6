import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { createProviderCredentialsApp } from "./app.ts";

const env = readEnvironment(httpVariables);
const { http, table, secretsClient } = createHttpParts(env);
const providerCredentials = new DynamoProviderCredentialStore({ table, clock: http.clock });
const secrets = new SecretsManagerSecretStore({ client: secretsClient, deployment: env.DEPLOYMENT });

export const handler = lambdaHandler(
  createProviderCredentialsApp({ ...http, providerCredentials, secrets }),
  http,
);
