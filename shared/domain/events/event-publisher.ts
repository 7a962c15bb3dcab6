import type { EventType } from "../../vocabulary/events.ts";
import type { JsonObject } from "../json.ts";

export interface OutgoingEvent {
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt: string;
  readonly detail: JsonObject;
}

export interface RefusedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly cause: unknown;
}

export interface EventPublisher {
  /** Delivery may reorder and repeat events. Returns the events that were refused; never throws. */
  publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]>;
}
