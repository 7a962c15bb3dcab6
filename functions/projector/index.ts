import { createEventBridgeClient } from "../../shared/aws/event-bridge-client.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { EventBridgePublisher } from "../../shared/events/event-bridge-publisher.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { createDeletionParts, deletionVariables } from "../../shared/runtime/create-deletion-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoAuditLog } from "../../shared/storage/log/dynamo-audit-log.ts";
import { DynamoRequestLog } from "../../shared/storage/log/dynamo-request-log.ts";
import { readAuditEvent } from "../../shared/storage/stream/stream-acts.ts";
import { readRequestLog, readSlotChange } from "../../shared/storage/stream/stream-calls.ts";
import { readEndedRun, readTableChange } from "../../shared/storage/stream/stream-changes.ts";
import { readEvents } from "../../shared/storage/stream/stream-events.ts";
import { DynamoCallsUnderWay } from "../../shared/storage/tunnel/dynamo-calls-under-way.ts";
import { DynamoUsageStore } from "../../shared/storage/usage/dynamo-usage-store.ts";
import { createProjector } from "./app.ts";

const environment = readEnvironment([
  ...deletionVariables,
  "EVENT_BUS_NAME",
  "EXECUTOR_ARN",
  "AUDIT_DAYS",
  "REQUEST_LOG_DAYS",
]);
const { parts, table } = createDeletionParts(environment);

export const handler = createProjector({
  ...parts,
  starter: new LambdaExecutions({ client: createLambdaClient(), executor: environment.EXECUTOR_ARN }),
  readChange: readTableChange,
  readSlotChange,
  readAuditEvent,
  readRequestLog,
  auditLog: new DynamoAuditLog({ table, clock: parts.clock, days: environment.AUDIT_DAYS }),
  requestLog: new DynamoRequestLog({ table, clock: parts.clock, days: environment.REQUEST_LOG_DAYS }),
  readEndedRun,
  usage: new DynamoUsageStore({ table }),
  callsUnderWay: new DynamoCallsUnderWay({ table, clock: parts.clock }),
  readEvents,
  events: new EventBridgePublisher({
    client: createEventBridgeClient(),
    busName: environment.EVENT_BUS_NAME,
  }),
  settleExpired: async (organizationId, connectionId) =>
    await parts.connections.settleExpired(organizationId, connectionId, parts.clock.now()),
});
