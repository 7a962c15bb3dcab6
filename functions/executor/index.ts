import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { serviceCaller } from "../../shared/domain/access/caller.ts";
import { actorOf } from "../../shared/domain/audit/act.ts";
import { Background } from "../../shared/domain/background.ts";
import { TunnelDesktop } from "../../shared/domain/desktop/tunnel-desktop.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { readJob } from "../../shared/execution/read-job.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { createModelParts, modelVariables } from "../../shared/runtime/create-model-parts.ts";
import { createTable, tableVariables } from "../../shared/runtime/create-table.ts";
import { createTunnelParts, tunnelVariables } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { zodTrajectoryReader } from "../../shared/schema/zod-trajectory-reader.ts";
import { createEncryption } from "../../shared/secrets/encryption/create-encryption.ts";
import { otpauthCodes } from "../../shared/secrets/otpauth-codes.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoHoldStore } from "../../shared/storage/hold/dynamo-hold-store.ts";
import { DynamoPromptImageStore } from "../../shared/storage/prompt-image/dynamo-prompt-image-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSecretOwnerStore } from "../../shared/storage/run/dynamo-secret-owner-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWaitingView } from "../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { createExecutor } from "./app.ts";

const env = readEnvironment([
  ...tunnelVariables,
  ...modelVariables,
  ...logVariables,
  ...tableVariables,
  ...(["BUCKET_NAME", "DATA_KEY_SECRET"] as const),
  "ORGANIZATION_EXECUTIONS_MAX",
  ...(["AWS_LAMBDA_FUNCTION_NAME", "EXECUTOR_ALIAS", "STEP_DAYS", "ATTACHMENT_DAYS"] as const),
]);
const logger = createStdoutLogger(env);
const secretsClient = createSecretsManagerClient();
const encryption = createEncryption({ client: secretsClient, secretId: env.DATA_KEY_SECRET, clock });
const table = createTable(env, { encryption, clock });
const stored = { table, clock };
const steps = { ...stored, stepDays: env.STEP_DAYS };
const tableId = rememberedTableId(table);
const files = new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME, tableId });
const secrets = new SecretsManagerSecretStore({ client: secretsClient, deployment: env.DEPLOYMENT });
const tunnel = createTunnelParts({ env, http: { clock, ids }, table, secretsClient, files });

export const handler = createExecutor({
  readJob,
  executions: new DynamoExecutionStore(steps),
  runs: new DynamoRunStore(stored),
  holds: new DynamoHoldStore(steps),
  waitingView: new DynamoWaitingView({ table, organizationExecutionsMax: env.ORGANIZATION_EXECUTIONS_MAX }),
  workflows: new DynamoWorkflowStore(stored),
  promptImages: new DynamoPromptImageStore(stored),
  trajectories: new DynamoTrajectoryStore(stored),
  trajectoryReader: zodTrajectoryReader,
  secretOwners: new DynamoSecretOwnerStore(stored),
  secrets,
  attachments: new DynamoAttachmentStore(stored),
  attachmentDays: env.ATTACHMENT_DAYS,
  files,
  encryption,
  models: createModelParts({ env, table, secretsClient, files, secrets, logger, clock }),
  pictures: pngCodec,
  outputChecker: new AjvInputChecker({ clock }),
  codes: otpauthCodes,
  starter: new LambdaExecutions({
    client: createLambdaClient(),
    executor: `${env.AWS_LAMBDA_FUNCTION_NAME}:${env.EXECUTOR_ALIAS}`,
  }),
  openDesktop: (execution) => {
    const { machines, organizationCallsMax } = tunnel;
    const { organizationId, runId, assignmentId: requestId } = execution;
    const actor = actorOf(serviceCaller(organizationId, runId), "");
    const background = new Background();
    const { waitUntil } = background;
    const channel = tunnel.openChannel({ requestId, logger, actor, waitUntil });
    const called = { machines, organizationCallsMax, channel, background, files, clock, ids };
    return new TunnelDesktop(called, execution);
  },
  clock,
  ids,
  logger,
});
