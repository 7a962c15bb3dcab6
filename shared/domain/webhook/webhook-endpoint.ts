import {
  type DisabledReason,
  type EventType,
  type RunEndEventType,
  runEndEventTypes,
  type WebhookEventType,
} from "../../vocabulary/events.ts";
import type { OrganizationId } from "../organization-id.ts";

/** To endpoints every end of a run is the same event. */
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
  /** An empty list is all. */
  readonly eventTypes: readonly WebhookEventType[];
  readonly isEnabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly secretName: string;
  /** Until then events are signed with the secret before, too. */
  readonly previousSecretUntil: string | null;
  /** The time of the first attempt that failed since the last success. */
  readonly failingSince: string | null;
  /** Attempts that timed out since the last one that did not. */
  readonly timeouts: number;
  /** When an endpoint that is tried once a minute may be tried again, in ms since the epoch. */
  readonly nextTryAtMs: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: number;
}

/** The secret before is good for so long after a rotation. */
export const previousSecretMs = 24 * 3_600 * 1_000;

export const notFailing = {
  disabledReason: null,
  failingSince: null,
  timeouts: 0,
  nextTryAtMs: null,
} as const satisfies Partial<WebhookEndpoint>;

export function wants({ isEnabled, eventTypes }: WebhookEndpoint, type: WebhookEventType): boolean {
  return isEnabled && (eventTypes.length === 0 || eventTypes.includes(type));
}
