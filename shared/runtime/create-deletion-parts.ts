import { createS3Client } from "../aws/s3-client.ts";
import { createSecretsManagerClient } from "../aws/secrets-manager-client.ts";
import { createWaitingRuns } from "../domain/run/waiting/cancel-waiting-runs.ts";
import { S3FileStore } from "../files/s3-file-store.ts";
import { SecretsManagerSecretStore } from "../secrets/secrets-manager-secret-store.ts";
import { DynamoAttachmentStore } from "../storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../storage/connection/dynamo-connection-store.ts";
import { DynamoExecutionStore } from "../storage/execution/dynamo-execution-store.ts";
import { DynamoMachineStore } from "../storage/machine/dynamo-machine-store.ts";
import { DynamoMembershipStore } from "../storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../storage/run/dynamo-run-store.ts";
import { DynamoScheduleStore } from "../storage/schedule/dynamo-schedule-store.ts";
import { DynamoSessionStore } from "../storage/session/dynamo-session-store.ts";
import { DynamoTrajectoryStore } from "../storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWaitingStore } from "../storage/waiting/dynamo-waiting-store.ts";
import { DynamoWorkflowStore } from "../storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../storage/workflow-tag/dynamo-tag-store.ts";
import { createApiGatewaySocketGateway } from "../tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../tunnel/gateway-dismissal.ts";
import { createTable, tableVariables } from "./create-table.ts";
import type { Environment } from "./environment.ts";
import { createStdoutLogger, logVariables } from "./stdout-logger.ts";
import { systemClock as clock } from "./system.ts";

export const deletionVariables = [
  ...tableVariables,
  "BUCKET_NAME",
  "WEBSOCKET_CALLBACK_URL",
  ...logVariables,
] as const;

export function createDeletionParts(env: Environment<(typeof deletionVariables)[number]>) {
  const table = createTable(env, { clock });
  const sockets = createApiGatewaySocketGateway({ callbackUrl: env.WEBSOCKET_CALLBACK_URL, clock });
  const stored = { table, clock };
  const runs = new DynamoRunStore(stored);
  const parts = {
    machines: new DynamoMachineStore(stored),
    workflows: new DynamoWorkflowStore(stored),
    runs,
    waitingRuns: createWaitingRuns({ runs, clock }),
    waiting: new DynamoWaitingStore(stored),
    sessions: new DynamoSessionStore(stored),
    trajectories: new DynamoTrajectoryStore(stored),
    schedules: new DynamoScheduleStore(stored),
    executions: new DynamoExecutionStore(stored),
    attachments: new DynamoAttachmentStore(stored),
    files: new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME }),
    tags: new DynamoTagStore(stored),
    pools: new DynamoPoolStore(stored),
    memberships: new DynamoMembershipStore(stored),
    connections: new DynamoConnectionStore(stored),
    secrets: new SecretsManagerSecretStore({
      client: createSecretsManagerClient(),
      deployment: env.DEPLOYMENT,
    }),
    dismissal: new GatewayDismissal(sockets),
    clock,
    logger: createStdoutLogger(env),
  };
  return { parts, table, sockets };
}
