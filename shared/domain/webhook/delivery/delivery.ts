import type { DeliveryStatus, WebhookEventType } from "../../../vocabulary/events.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { SendOutcome } from "./webhook-sender.ts";

export interface DeliveryAttempt extends Omit<SendOutcome, "responseBody"> {
  readonly attemptedAt: string;
}

export interface Delivery {
  /** The id derives from event and endpoint, so that an event that is read again creates no second delivery. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly status: DeliveryStatus;
  /** The last attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: string | null;
  /** Rounds count from 1; each redelivery begins another one, which ends the one before. */
  readonly round: number;
  readonly roundStartedAt: string;
  readonly createdAt: string;
  readonly revision: number;
}

export const attemptsKept = 20;

/** The payload of an attempt's invocation or execution has only ids, and nothing that could be secret. */
export interface DeliveryJob {
  readonly organizationId: OrganizationId;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly round: number;
  /** Attempts count from 1 in each round. */
  readonly number: number;
}

/** Returns the execution's name; an execution of one name is started once. */
export function deliveryName({ deliveryId, round, number }: DeliveryJob): string {
  return `${deliveryId}-${round}-${number}`;
}

export function deliveryPayload(job: DeliveryJob) {
  const { organizationId, endpointId, deliveryId, eventId, round, number } = job;
  return {
    organization_id: organizationId,
    endpoint_id: endpointId,
    delivery_id: deliveryId,
    event_id: eventId,
    round,
    number,
  };
}

/** The seconds before each further attempt, as Standard Webhooks recommends. */
export const retryAfterSeconds: readonly number[] = [
  5,
  5 * 60,
  30 * 60,
  2 * 3_600,
  5 * 3_600,
  10 * 3_600,
  14 * 3_600,
  20 * 3_600,
  24 * 3_600,
];

/** All attempts take less time. A delivery that is postponed for longer has failed. */
export const roundMsMax = 6 * 24 * 3_600 * 1_000;
