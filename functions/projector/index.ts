import { createEventBridgeClient } from "../../shared/aws/event-bridge-client.ts";
import { EventBridgePublisher } from "../../shared/events/event-bridge-publisher.ts";
import { createDeletionParts, deletionVariables } from "../../shared/runtime/create-deletion-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { readTableChange } from "../../shared/storage/stream/stream-changes.ts";
import { readEvents } from "../../shared/storage/stream/stream-events.ts";
import { createProjector } from "./app.ts";

const environment = readEnvironment([...deletionVariables, "EVENT_BUS_NAME"]);
const { parts } = createDeletionParts(environment);

export const handler = createProjector({
  ...parts,
  readChange: readTableChange,
  readEvents,
  events: new EventBridgePublisher({
    client: createEventBridgeClient(),
    busName: environment.EVENT_BUS_NAME,
  }),
  settleExpired: async (organizationId, connectionId) =>
    await parts.connections.settleExpired(organizationId, connectionId, parts.clock.now()),
});
