import { createDynamoDbClient } from "../../shared/aws/dynamodb-client.ts";
import { createEventBridgeClient } from "../../shared/aws/event-bridge-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { createWaitingRuns } from "../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { EventBridgePublisher } from "../../shared/events/event-bridge-publisher.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system-clock.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../shared/storage/session/dynamo-session-store.ts";
import { readTableChange } from "../../shared/storage/stream/stream-changes.ts";
import { readEvents } from "../../shared/storage/stream/stream-events.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWaitingStore } from "../../shared/storage/waiting/dynamo-waiting-store.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../../shared/tunnel/gateway-dismissal.ts";
import { createProjector } from "./app.ts";

const environment = readEnvironment([
  "TABLE_NAME",
  "BUCKET_NAME",
  "DEPLOYMENT",
  "EVENT_BUS_NAME",
  "WEBSOCKET_CALLBACK_URL",
  "LOG_LEVEL",
]);
const table = new DynamoTable({ client: createDynamoDbClient(), tableName: environment.TABLE_NAME, clock });
const connections = new DynamoConnectionStore({ table });
const sockets = createApiGatewaySocketGateway({ callbackUrl: environment.WEBSOCKET_CALLBACK_URL, clock });
const runs = new DynamoRunStore({ table, clock });

export const handler = createProjector({
  readChange: readTableChange,
  readEvents,
  events: new EventBridgePublisher({
    client: createEventBridgeClient(),
    busName: environment.EVENT_BUS_NAME,
  }),
  settleExpired: async (organizationId, connectionId) =>
    await connections.settleExpired(organizationId, connectionId, clock.now()),
  machines: new DynamoMachineStore({ table, clock }),
  workflows: new DynamoWorkflowStore({ table, clock }),
  runs,
  waitingRuns: createWaitingRuns({ runs, clock }),
  waiting: new DynamoWaitingStore({ table }),
  sessions: new DynamoSessionStore({ table }),
  trajectories: new DynamoTrajectoryStore({ table, clock }),
  attachments: new DynamoAttachmentStore({ table, clock }),
  files: new S3FileStore({ client: createS3Client(), bucket: environment.BUCKET_NAME }),
  tags: new DynamoTagStore({ table, clock }),
  pools: new DynamoPoolStore({ table, clock }),
  memberships: new DynamoMembershipStore({ table, clock }),
  connections,
  secrets: new SecretsManagerSecretStore({
    client: createSecretsManagerClient(),
    deployment: environment.DEPLOYMENT,
  }),
  dismissal: new GatewayDismissal(sockets),
  clock,
  logger: createStdoutLogger(environment.LOG_LEVEL),
});
