import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { DomainError } from "../domain/errors.ts";
import type { EventPublisher, OutgoingEvent, RefusedEvent } from "../domain/events/event-publisher.ts";

/** Customers' rules match this source. */
const eventSource = "desktop-automation-service";

/**
 * Together they stay far below the 256 KB of one call: events have only ids, and names of at most 255 characters.
 *
 * Source: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const entriesMax = 10;

/** `NoAnswer` is this adapter's own code for an entry that the response omits. */
const passingCodes: readonly string[] = ["InternalFailure", "ThrottlingException", "NoAnswer"];

export interface EventBridgePublisherOptions {
  readonly client: EventBridgeClient;
  /** The bus must exist: EventBridge accepts events for any other one, and loses them. */
  readonly busName: string;
}

export class EventBridgePublisher implements EventPublisher {
  readonly #client: EventBridgeClient;
  readonly #busName: string;

  constructor({ client, busName }: EventBridgePublisherOptions) {
    this.#client = client;
    this.#busName = busName;
  }

  /** Calls follow one another, so that earlier events are sent first. */
  async publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]> {
    const refused: RefusedEvent[] = [];
    for (let start = 0; start < events.length; start += entriesMax) {
      refused.push(...(await this.#put(events.slice(start, start + entriesMax))));
    }
    return refused;
  }

  async #put(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]> {
    const causes = await this.#causes(events);
    return events.flatMap(({ id, type }, index) => {
      const cause = causes[index];
      return cause === undefined ? [] : [{ id, type, cause }];
    });
  }

  /** An accepted event's cause is undefined. */
  async #causes(events: readonly OutgoingEvent[]): Promise<readonly unknown[]> {
    try {
      const { Entries: results = [] } = await this.#client.send(
        new PutEventsCommand({
          Entries: events.map(({ type, occurredAt, detail }) => ({
            EventBusName: this.#busName,
            Source: eventSource,
            DetailType: type,
            Detail: JSON.stringify(detail),
            Time: new Date(occurredAt),
          })),
        }),
      );
      // An entry without an id was refused, whatever else the response says.
      return events.map((_, index) => {
        const result = results[index];
        return result?.EventId === undefined ? entryError(result?.ErrorCode ?? "NoAnswer") : undefined;
      });
    } catch (cause) {
      return events.map(() => cause);
    }
  }
}

function entryError(code: string): Error {
  const message = `the event bus refused an event: ${code}`;
  return passingCodes.includes(code) ? new DomainError("service_unavailable", message) : new Error(message);
}
