import { isPassing } from "../../shared/aws/aws-failure.ts";
import { createEventBridgeClient } from "../../shared/aws/event-bridge-client.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createSqsClient } from "../../shared/aws/sqs-client.ts";
import { EventBridgePublisher } from "../../shared/events/event-bridge-publisher.ts";
import { SqsSetAside } from "../../shared/events/sqs-set-aside.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { createDeletionParts, deletionVariables } from "../../shared/runtime/create-deletion-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { reduceRecord } from "../../shared/storage/stream/reduce-record.ts";
import { readSlotChange } from "../../shared/storage/stream/stream-calls.ts";
import {
  changeAttributes,
  readEndedRun,
  readTableChange,
  type TableStreamRecord,
} from "../../shared/storage/stream/stream-changes.ts";
import { eventAttributes, readEvents } from "../../shared/storage/stream/stream-events.ts";
import { DynamoCallsUnderWay } from "../../shared/storage/tunnel/dynamo-calls-under-way.ts";
import { DynamoUsageStore } from "../../shared/storage/usage/dynamo-usage-store.ts";
import { createProjector } from "./app.ts";

const environment = readEnvironment([
  ...deletionVariables,
  "EVENT_BUS_NAME",
  "EXECUTOR_ARN",
  "SET_ASIDE_QUEUE_URL",
]);
const { parts, table } = createDeletionParts(environment);

export const handler = createProjector({
  ...parts,
  starter: new LambdaExecutions({ client: createLambdaClient(), executor: environment.EXECUTOR_ARN }),
  readChange: readTableChange,
  readSlotChange,
  readEndedRun,
  usage: new DynamoUsageStore({ table }),
  callsUnderWay: new DynamoCallsUnderWay({ table, clock: parts.clock }),
  readEvents,
  events: new EventBridgePublisher({
    client: createEventBridgeClient(),
    busName: environment.EVENT_BUS_NAME,
  }),
  isPassing,
  setAside: new SqsSetAside<TableStreamRecord>({
    client: createSqsClient(),
    queueUrl: environment.SET_ASIDE_QUEUE_URL,
    reduce: (record) => reduceRecord(record, [...eventAttributes(), ...changeAttributes()]),
  }),
  settleExpired: async (organizationId, connectionId) =>
    await parts.connections.settleExpired(organizationId, connectionId, parts.clock.now()),
});
