import { absentFileStore } from "../../shared/files/absent-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts, tunnelVariables } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../shared/storage/session/dynamo-session-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoWaitingStore } from "../../shared/storage/waiting/dynamo-waiting-store.ts";
import { createMachinesApp } from "./app.ts";

const env = readEnvironment([...httpVariables, ...tunnelVariables, "SECRETS_KMS_KEY"]);
const { http, table, secretsClient } = createHttpParts(env);
const { clock } = http;
const tunnel = createTunnelParts({ env, http, table, secretsClient, files: absentFileStore });
const tableId = rememberedTableId(table);
const secrets = new SecretsManagerSecretStore({
  client: secretsClient,
  deployment: env.DEPLOYMENT,
  tableId,
  kmsKeyId: env.SECRETS_KMS_KEY,
});
const pools = new DynamoPoolStore({ table, clock });
const memberships = new DynamoMembershipStore({ table, clock });
const runs = new DynamoRunStore({ table, clock });
const sessions = new DynamoSessionStore({ table });
const waiting = new DynamoWaitingStore({ table });

export const handler = lambdaHandler(
  createMachinesApp({ ...http, ...tunnel, secrets, pools, memberships, runs, sessions, waiting }),
  http,
);
