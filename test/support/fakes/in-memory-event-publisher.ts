import { DomainError } from "../../../shared/domain/errors.ts";
import type {
  EventPublisher,
  OutgoingEvent,
  RefusedEvent,
} from "../../../shared/domain/events/event-publisher.ts";

/** Takes every event, except those of types that a test makes it refuse. */
export class InMemoryEventPublisher implements EventPublisher {
  readonly taken: OutgoingEvent[] = [];
  readonly refusedTypes = new Set<string>();
  cause: Error = new DomainError("service_unavailable", "the bus is busy");

  async publish(events: readonly OutgoingEvent[]): Promise<readonly RefusedEvent[]> {
    const refused = events.filter(({ type }) => this.refusedTypes.has(type));
    this.taken.push(...structuredClone(events.filter((event) => !refused.includes(event))));
    return refused.map(({ id, type }) => ({ id, type, cause: this.cause }));
  }
}
