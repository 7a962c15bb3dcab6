import { isPassing } from "../../shared/aws/aws-failure.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { LambdaCallbacks } from "../../shared/execution/lambda-callbacks.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { LambdaHelper } from "../../shared/execution/lambda-helper.ts";
import { ownerOfObject } from "../../shared/files/object-owner.ts";
import { createDeletionParts, deletionVariables } from "../../shared/runtime/create-deletion-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { systemIds as ids } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { ownerOfSecret } from "../../shared/secrets/secret-owner.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoViewerStore } from "../../shared/storage/live/dynamo-viewer-store.ts";
import { DynamoDueStore } from "../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoFleetReader } from "../../shared/storage/maintenance/dynamo-fleet-reader.ts";
import { DynamoMatchSweepStore } from "../../shared/storage/maintenance/dynamo-match-sweep-store.ts";
import { DynamoSweepCursorStore } from "../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { DynamoVanishedMachineStore } from "../../shared/storage/maintenance/dynamo-vanished-machine-store.ts";
import { DynamoMatchStore } from "../../shared/storage/matching/dynamo-match-store.ts";
import { servicePlacesOf } from "../../shared/storage/matching/dynamo-service-places.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoPromptImageStore } from "../../shared/storage/prompt-image/dynamo-prompt-image-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { DynamoRecordingStore } from "../../shared/storage/recording/dynamo-recording-store.ts";
import { ownTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoSendStore } from "../../shared/storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../../shared/storage/webhook/dynamo-webhook-endpoint-store.ts";
import { createSweeper } from "./app.ts";

const environment = readEnvironment([
  ...deletionVariables,
  "VANISHED_MACHINE_GRACE_SECONDS",
  "SESSION_IDLE_SECONDS",
  "AWS_LAMBDA_FUNCTION_NAME",
  "RUN_DAYS",
  "EXECUTOR_ARN",
  "WEBHOOK_SENDER_ARN",
  "ORGANIZATION_EXECUTIONS_MAX",
  "SERVICE_EXECUTIONS_MAX",
  "ORGANIZATION_SENDS_MAX",
]);
const deployment = environment.DEPLOYMENT;
const { parts, table, sockets } = createDeletionParts(environment);
const stored = { table, clock: parts.clock };
const client = createLambdaClient();
const lambda = new LambdaExecutions({ client, executor: environment.EXECUTOR_ARN });
const servicePlaces = servicePlacesOf({
  ...stored,
  serviceExecutionsMax: environment.SERVICE_EXECUTIONS_MAX,
});

export const handler = createSweeper({
  ...parts,
  helper: new LambdaHelper({ client, functionName: environment.AWS_LAMBDA_FUNCTION_NAME }),
  starter: lambda,
  finder: lambda,
  callbacks: new LambdaCallbacks({ client }),
  isPassing,
  keys: new DynamoApiKeyStore(stored),
  viewers: new DynamoViewerStore(stored),
  due: new DynamoDueStore(stored),
  providerCredentials: new DynamoProviderCredentialStore(stored),
  webhookEndpoints: new DynamoWebhookEndpointStore(stored),
  sends: new DynamoSendStore({ ...stored, organizationSendsMax: environment.ORGANIZATION_SENDS_MAX }),
  deliveryStarter: new LambdaDeliveryStarter({
    client,
    sender: environment.WEBHOOK_SENDER_ARN,
    ids,
  }),
  matches: new DynamoMatchStore({
    table,
    organizationExecutionsMax: environment.ORGANIZATION_EXECUTIONS_MAX,
    servicePlaces,
  }),
  servicePlaces,
  modelConfigurations: new DynamoModelConfigurationStore(stored),
  promptImages: new DynamoPromptImageStore(stored),
  recordings: new DynamoRecordingStore(stored),
  matchSweep: new DynamoMatchSweepStore(stored),
  fleet: new DynamoFleetReader(stored),
  vanished: new DynamoVanishedMachineStore(stored),
  checker: new AjvInputChecker(stored),
  ids,
  vanishedGraceMs: environment.VANISHED_MACHINE_GRACE_SECONDS * 1_000,
  runDays: environment.RUN_DAYS,
  sessionIdleMs: environment.SESSION_IDLE_SECONDS * 1_000,
  objectOwner: ownerOfObject,
  ownTableId: () => ownTableId(table, ids),
  sweepCursors: new DynamoSweepCursorStore(stored),
  secretOwner: (name) => ownerOfSecret(deployment, name),
  sockets,
});
