import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { EventPublisher, OutgoingEvent, RefusedEvent } from "../domain/events/event-publisher.ts";

/** Customers' rules name it. */
export const eventSource = "desktop-automation-service";

/**
 * Together they stay far below the 256 KB of one call: ids, and names of at most 255 characters.
 *
 * Source: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const entriesMax = 10;

export interface EventBridgePublisherOptions {
  readonly client: EventBridgeClient;
  /** Of a bus that is there: EventBridge takes what is sent to any other one, and loses it. */
  readonly busName: string;
}

export class EventBridgePublisher implements EventPublisher {
  readonly #client: EventBridgeClient;
  readonly #busName: string;

  constructor({ client, busName }: EventBridgePublisherOptions) {
    this.#client = client;
    this.#busName = busName;
  }

  /** One call after the other, so that what came about first goes out first. */
  async publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]> {
    const refused: RefusedEvent[] = [];
    for (let start = 0; start < events.length; start += entriesMax) {
      refused.push(...(await this.#put(events.slice(start, start + entriesMax))));
    }
    return refused;
  }

  async #put(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]> {
    const reasons = await this.#reasons(events);
    return events.flatMap(({ id, type }, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [{ id, type, reason }];
    });
  }

  /** Event by event why it was not taken. */
  async #reasons(events: readonly OutgoingEvent[]): Promise<readonly (string | undefined)[]> {
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
      // One without an id was not taken, whatever else is said of it.
      return events.map((_, index) => {
        const result = results[index];
        return result?.EventId === undefined ? (result?.ErrorCode ?? "NoAnswer") : undefined;
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.name : "UnknownError";
      return events.map(() => reason);
    }
  }
}
