import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { CachedKeyVerifier } from "../../shared/secrets/cached-key-verifier.ts";
import { createSigner } from "../../shared/secrets/create-signer.ts";
import { createEncryption } from "../../shared/secrets/encryption/create-encryption.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoTicketStore } from "../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoLiveTicketStore } from "../../shared/storage/live/dynamo-live-ticket-store.ts";
import { DynamoViewerStore } from "../../shared/storage/live/dynamo-viewer-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoCallRecords } from "../../shared/storage/tunnel/dynamo-call-records.ts";
import { DynamoCallSlots } from "../../shared/storage/tunnel/dynamo-call-slots.ts";
import { DynamoMailboxStore } from "../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../../shared/tunnel/gateway-dismissal.ts";
import { newMachineSecret } from "../../shared/tunnel/machine-secret.ts";
import { createTunnelHandler } from "./app.ts";

const environment = readEnvironment([
  "AWS_REGION",
  ...tableVariables,
  "TUNNEL_KEY_SECRET",
  "DATA_KEY_SECRET",
  "WEBSOCKET_CALLBACK_URL",
  "FILES_URL",
  "KEY_CONNECTIONS_MAX",
  "PING_SECONDS",
  ...logVariables,
]);
const secretsClient = createSecretsManagerClient();
const table = createTable(environment, {
  encryption: createEncryption({
    client: secretsClient,
    secretId: environment.DATA_KEY_SECRET,
    clock,
  }),
  clock,
});
const apiKeys = new DynamoApiKeyStore({ table, clock });
const sockets = createApiGatewaySocketGateway({ callbackUrl: environment.WEBSOCKET_CALLBACK_URL, clock });

export const handler = createTunnelHandler({
  keyVerifier: new CachedKeyVerifier({ apiKeys, clock }),
  keys: apiKeys,
  tickets: new DynamoTicketStore({ table, clock }),
  liveTickets: new DynamoLiveTicketStore({ table, clock }),
  viewers: new DynamoViewerStore({ table, clock }),
  machines: new DynamoMachineStore({ table, clock }),
  connections: new DynamoConnectionStore({ table }),
  mailboxes: new DynamoMailboxStore({ table, clock }),
  callRecords: new DynamoCallRecords({ table, clock }),
  slots: new DynamoCallSlots({ table, clock }),
  rateLimiter: new DynamoRateLimiter({ table, clock }),
  keyConnectionsMax: environment.KEY_CONNECTIONS_MAX,
  pingSeconds: environment.PING_SECONDS,
  sockets,
  dismissal: new GatewayDismissal(sockets),
  signer: createSigner({
    client: secretsClient,
    secretId: environment.TUNNEL_KEY_SECRET,
    clock,
  }),
  clock,
  ids,
  logger: createStdoutLogger(environment),
  newMachineSecret,
  region: environment.AWS_REGION,
  transferHost: new URL(environment.FILES_URL).host,
});
