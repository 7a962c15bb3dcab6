import type { EventType } from "../../vocabulary/events.ts";
import type { JsonObject } from "../json.ts";

/** An event in its published form. */
export interface OutgoingEvent {
  readonly id: string;
  readonly type: EventType;
  /** ISO 8601. */
  readonly occurredAt: string;
  readonly detail: JsonObject;
}

/** An event that was not accepted. */
export interface RefusedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly cause: unknown;
}

/** The event bus that customers subscribe to. */
export interface EventPublisher {
  /**
   * Publishes in the given order; delivery may reorder and repeat events.
   *
   * @returns the events that were refused; never throws.
   */
  publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]>;
}
