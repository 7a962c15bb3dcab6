import { isPassing } from "../../shared/aws/aws-failure.ts";
import { createEventBridgeClient } from "../../shared/aws/event-bridge-client.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { createSqsClient } from "../../shared/aws/sqs-client.ts";
import { WatchedOrganizations } from "../../shared/domain/live/note-changes.ts";
import { EventBridgePublisher } from "../../shared/events/event-bridge-publisher.ts";
import { SqsSetAside } from "../../shared/events/sqs-set-aside.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { LambdaHelper } from "../../shared/execution/lambda-helper.ts";
import { createDeletionParts, deletionVariables } from "../../shared/runtime/create-deletion-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { systemIds as ids } from "../../shared/runtime/system.ts";
import { createEncryption } from "../../shared/secrets/encryption/create-encryption.ts";
import { DynamoHintReader } from "../../shared/storage/live/dynamo-hint-reader.ts";
import { DynamoHintStore } from "../../shared/storage/live/dynamo-hint-store.ts";
import { DynamoViewerStore } from "../../shared/storage/live/dynamo-viewer-store.ts";
import { DynamoAuditLog } from "../../shared/storage/log/dynamo-audit-log.ts";
import { DynamoRequestLog } from "../../shared/storage/log/dynamo-request-log.ts";
import { reduceRecord } from "../../shared/storage/stream/reduce-record.ts";
import { readAuditEvent } from "../../shared/storage/stream/stream-acts.ts";
import { callAttributes, readRequestLog } from "../../shared/storage/stream/stream-calls.ts";
import {
  changeAttributes,
  readEndedRun,
  readTableChange,
  type TableStreamRecord,
} from "../../shared/storage/stream/stream-changes.ts";
import { eventAttributes, readEvents, readRun } from "../../shared/storage/stream/stream-events.ts";
import { readHintedChanges } from "../../shared/storage/stream/stream-hints.ts";
import { DynamoUsageStore } from "../../shared/storage/usage/dynamo-usage-store.ts";
import { DynamoDeliveryStore } from "../../shared/storage/webhook/dynamo-delivery-store.ts";
import { DynamoSendStore } from "../../shared/storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../../shared/storage/webhook/dynamo-webhook-endpoint-store.ts";
import { GatewayViewerChannel } from "../../shared/tunnel/gateway-viewer-channel.ts";
import { deriveUuid7 } from "../../shared/webhooks/derive-uuid7.ts";
import { createProjector } from "./app.ts";

const environment = readEnvironment([
  ...deletionVariables,
  "EVENT_BUS_NAME",
  "AWS_LAMBDA_FUNCTION_NAME",
  "EXECUTOR_ARN",
  "WEBHOOK_SENDER_ARN",
  "DATA_KEY_SECRET",
  "SET_ASIDE_QUEUE_URL",
  "AUDIT_DAYS",
  "REQUEST_LOG_DAYS",
  "ORGANIZATION_SENDS_MAX",
]);
const { parts, table, sockets } = createDeletionParts(environment);
const { clock } = parts;
const viewers = new DynamoViewerStore({ table, clock });
const lambda = createLambdaClient();
const encryption = createEncryption({
  client: createSecretsManagerClient(),
  secretId: environment.DATA_KEY_SECRET,
  clock,
});

export const handler = createProjector({
  ...parts,
  starter: new LambdaExecutions({ client: lambda, executor: environment.EXECUTOR_ARN }),
  deliveryStarter: new LambdaDeliveryStarter({
    client: lambda,
    sender: environment.WEBHOOK_SENDER_ARN,
    ids,
  }),
  webhookEndpoints: new DynamoWebhookEndpointStore({ table, clock }),
  sends: new DynamoSendStore({ table, clock, organizationSendsMax: environment.ORGANIZATION_SENDS_MAX }),
  deliveries: new DynamoDeliveryStore({ table: table.withEncryption(encryption), clock }),
  deriveUuid7,
  ids,
  viewers,
  watched: new WatchedOrganizations({ viewers, clock }),
  hints: new DynamoHintStore({ table, clock }),
  hintReader: new DynamoHintReader({ table }),
  hintHelper: new LambdaHelper({ client: lambda, functionName: environment.AWS_LAMBDA_FUNCTION_NAME }),
  viewerChannel: new GatewayViewerChannel({ sockets, logger: parts.logger }),
  readHintedChanges,
  readRun,
  readChange: readTableChange,
  readAuditEvent,
  readRequestLog,
  auditLog: new DynamoAuditLog({ table, clock: parts.clock, days: environment.AUDIT_DAYS }),
  requestLog: new DynamoRequestLog({ table, clock: parts.clock, days: environment.REQUEST_LOG_DAYS }),
  readEndedRun,
  usage: new DynamoUsageStore({ table }),
  readEvents,
  events: new EventBridgePublisher({
    client: createEventBridgeClient(),
    busName: environment.EVENT_BUS_NAME,
  }),
  isPassing,
  setAside: new SqsSetAside<TableStreamRecord>({
    client: createSqsClient(),
    queueUrl: environment.SET_ASIDE_QUEUE_URL,
    reduce: (record) =>
      reduceRecord(record, [...eventAttributes(), ...changeAttributes(), ...callAttributes()]),
  }),
  settleExpired: async (organizationId, connectionId) =>
    await parts.connections.settleExpired(organizationId, connectionId, parts.clock.now()),
});
