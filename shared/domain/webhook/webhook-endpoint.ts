import {
  type DisabledReason,
  type EventType,
  type RunEndEventType,
  runEndEventTypes,
  type WebhookEventType,
} from "../../vocabulary/events.ts";
import type { OrganizationId } from "../organization-id.ts";

/** All ends of a run are the same event for endpoints. */
export function webhookEventTypeOf(type: EventType): WebhookEventType {
  return isRunEnd(type) ? "run.complete" : type;
}

function isRunEnd(type: EventType): type is RunEndEventType {
  return runEndEventTypes.some((end) => end === type);
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly url: string;
  readonly description: string;
  /** An empty list means all types. */
  readonly eventTypes: readonly WebhookEventType[];
  readonly isEnabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly secretName: string;
  /** Until this time events are also signed with the previous secret. */
  readonly previousSecretUntil: string | null;
  /** The time of the first attempt that failed since the last success. */
  readonly failingSince: string | null;
  /** The number of attempts that timed out since the last one that did not. */
  readonly timeouts: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: number;
}

/** The previous secret is valid for this long after a rotation. */
export const previousSecretMs = 24 * 3_600 * 1_000;

export const notFailing = {
  disabledReason: null,
  failingSince: null,
  timeouts: 0,
} as const satisfies Partial<WebhookEndpoint>;

export function wants({ isEnabled, eventTypes }: WebhookEndpoint, type: WebhookEventType): boolean {
  return isEnabled && (eventTypes.length === 0 || eventTypes.includes(type));
}
