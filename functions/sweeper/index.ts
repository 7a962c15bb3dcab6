import { createDynamoDbClient } from "../../shared/runtime/dynamodb-client.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createSecretsManagerClient } from "../../shared/runtime/secrets-manager-client.ts";
import { createStdoutLogger } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system-clock.ts";
import { ownerOfSecret } from "../../shared/secrets/secret-owner.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoApiKeyStore } from "../../shared/storage/dynamo-api-key-store.ts";
import { DynamoConnectionStore } from "../../shared/storage/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../shared/storage/dynamo-machine-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/dynamo-pool-store.ts";
import { DynamoTable } from "../../shared/storage/dynamo-table.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../../shared/tunnel/gateway-dismissal.ts";
import { createSweeper } from "./app.ts";

const environment = readEnvironment(["TABLE_NAME", "DEPLOYMENT", "WEBSOCKET_CALLBACK_URL", "LOG_LEVEL"]);
const deployment = environment.DEPLOYMENT;
const table = new DynamoTable({ client: createDynamoDbClient(), tableName: environment.TABLE_NAME, clock });
const sockets = createApiGatewaySocketGateway({ callbackUrl: environment.WEBSOCKET_CALLBACK_URL, clock });

export const handler = createSweeper({
  keys: new DynamoApiKeyStore(table),
  machines: new DynamoMachineStore({ table, clock }),
  pools: new DynamoPoolStore({ table, clock }),
  memberships: new DynamoMembershipStore(table, clock),
  connections: new DynamoConnectionStore(table),
  secrets: new SecretsManagerSecretStore({ client: createSecretsManagerClient(), deployment }),
  secretOwner: (name) => ownerOfSecret(deployment, name),
  sockets,
  dismissal: new GatewayDismissal(sockets),
  clock,
  logger: createStdoutLogger(environment.LOG_LEVEL),
  metrics: createStdoutLogger("info"),
  deployment,
});
