import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createProviderCredentialsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "SECRETS_KMS_KEY"]);
const { http, table, secretsClient } = createHttpParts(env);
const providerCredentials = new DynamoProviderCredentialStore({ table, clock: http.clock });
const tableId = rememberedTableId(table);
const secrets = new SecretsManagerSecretStore({
  ...{ client: secretsClient, deployment: env.DEPLOYMENT },
  ...{ tableId, kmsKeyId: env.SECRETS_KMS_KEY },
});

export const handler = lambdaHandler(
  createProviderCredentialsApp({ ...http, providerCredentials, secrets }),
  http,
);
