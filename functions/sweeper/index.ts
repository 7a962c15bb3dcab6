import { createDynamoDbClient } from "../../shared/aws/dynamodb-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { createWaitingRuns } from "../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { ownerOfObject } from "../../shared/files/object-owner.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system-clock.ts";
import { systemIds as ids } from "../../shared/runtime/system-ids.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { ownerOfSecret } from "../../shared/secrets/secret-owner.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoDueStore } from "../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoMatchSweepStore } from "../../shared/storage/maintenance/dynamo-match-sweep-store.ts";
import { DynamoSweepCursorStore } from "../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { DynamoVanishedMachineStore } from "../../shared/storage/maintenance/dynamo-vanished-machine-store.ts";
import { DynamoMatchStore } from "../../shared/storage/matching/dynamo-match-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../shared/storage/session/dynamo-session-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWaitingStore } from "../../shared/storage/waiting/dynamo-waiting-store.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../../shared/tunnel/gateway-dismissal.ts";
import { createSweeper } from "./app.ts";

const environment = readEnvironment([
  "TABLE_NAME",
  "BUCKET_NAME",
  "DEPLOYMENT",
  "WEBSOCKET_CALLBACK_URL",
  "VANISHED_MACHINE_GRACE_SECONDS",
  "SESSION_IDLE_SECONDS",
  "LOG_LEVEL",
]);
const deployment = environment.DEPLOYMENT;
const table = new DynamoTable({ client: createDynamoDbClient(), tableName: environment.TABLE_NAME, clock });
const sockets = createApiGatewaySocketGateway({ callbackUrl: environment.WEBSOCKET_CALLBACK_URL, clock });
const runs = new DynamoRunStore({ table, clock });

export const handler = createSweeper({
  keys: new DynamoApiKeyStore({ table }),
  due: new DynamoDueStore({ table }),
  machines: new DynamoMachineStore({ table, clock }),
  workflows: new DynamoWorkflowStore({ table, clock }),
  runs,
  waitingRuns: createWaitingRuns({ runs, clock }),
  waiting: new DynamoWaitingStore({ table }),
  sessions: new DynamoSessionStore({ table }),
  trajectories: new DynamoTrajectoryStore({ table, clock }),
  attachments: new DynamoAttachmentStore({ table, clock }),
  files: new S3FileStore({ client: createS3Client(), bucket: environment.BUCKET_NAME }),
  providerCredentials: new DynamoProviderCredentialStore({ table, clock }),
  matches: new DynamoMatchStore({ table }),
  matchSweep: new DynamoMatchSweepStore({ table }),
  vanished: new DynamoVanishedMachineStore({ table, clock }),
  checker: new AjvInputChecker({ clock }),
  ids,
  vanishedGraceMs: environment.VANISHED_MACHINE_GRACE_SECONDS * 1_000,
  sessionIdleMs: environment.SESSION_IDLE_SECONDS * 1_000,
  objectOwner: ownerOfObject,
  sweepCursors: new DynamoSweepCursorStore({ table }),
  tags: new DynamoTagStore({ table, clock }),
  pools: new DynamoPoolStore({ table, clock }),
  memberships: new DynamoMembershipStore({ table, clock }),
  connections: new DynamoConnectionStore({ table }),
  secrets: new SecretsManagerSecretStore({ client: createSecretsManagerClient(), deployment }),
  secretOwner: (name) => ownerOfSecret(deployment, name),
  sockets,
  dismissal: new GatewayDismissal(sockets),
  clock,
  logger: createStdoutLogger(environment.LOG_LEVEL),
  metrics: createStdoutLogger("info"),
  deployment,
});
