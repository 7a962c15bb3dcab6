import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { ProviderKeyChecker } from "../../shared/models/provider-key-checker.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createProviderCredentialsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "SECRETS_KMS_KEY", "MODEL_ENDPOINTS"]);
const { http, table, secretsClient } = createHttpParts(env);
const providerCredentials = new DynamoProviderCredentialStore({ table, clock: http.clock });
const tableId = rememberedTableId(table);
const secrets = new SecretsManagerSecretStore({
  client: secretsClient,
  deployment: env.DEPLOYMENT,
  tableId,
  kmsKeyId: env.SECRETS_KMS_KEY,
});
const { googleToken: tokenUrl, ...addresses } = env.MODEL_ENDPOINTS;
const keyChecker = new ProviderKeyChecker({ addresses, googleCloud: { tokenUrl } });

export const handler = lambdaHandler(
  createProviderCredentialsApp({ ...http, providerCredentials, secrets, keyChecker }),
  http,
);
