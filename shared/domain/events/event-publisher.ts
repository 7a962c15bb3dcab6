import type { JsonObject } from "../json.ts";
import type { EventType } from "./event-types.ts";

/** An event as it goes out. */
export interface OutgoingEvent {
  readonly id: string;
  readonly type: EventType;
  /** ISO 8601. */
  readonly occurredAt: string;
  readonly detail: JsonObject;
}

/** An event that was not taken. */
export interface RefusedEvent {
  readonly id: string;
  readonly type: EventType;
  /** An error's name, for the log. */
  readonly reason: string;
}

/** Where customers listen. */
export interface EventPublisher {
  /**
   * Hands them on in the order given, though they may arrive in another; an event that was handed on may be handed on
   * again.
   *
   * @returns those that were not taken and have to come again; it never throws.
   */
  publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]>;
}
