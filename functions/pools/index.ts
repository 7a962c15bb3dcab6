import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { createPoolsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "SECRETS_KMS_KEY"]);
const { http, table, secretsClient } = createHttpParts(env);
const { clock } = http;

export const handler = lambdaHandler(
  createPoolsApp({
    ...http,
    pools: new DynamoPoolStore({ table, clock }),
    memberships: new DynamoMembershipStore({ table, clock }),
    machines: new DynamoMachineStore({ table, clock }),
    secrets: new SecretsManagerSecretStore({
      client: secretsClient,
      deployment: env.DEPLOYMENT,
      tableId: rememberedTableId(table),
      kmsKeyId: env.SECRETS_KMS_KEY,
    }),
  }),
  http,
);
