import { deliveryAttemptSeconds } from "../../../vocabulary/events.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { WebhookEndpoint } from "../webhook-endpoint.ts";
import { type DeliveryJob, deliveryName } from "./delivery.ts";

/** One post to an endpoint: an attempt of a delivery, or a test. */
export interface Send {
  readonly organizationId: OrganizationId;
  readonly endpointId: string;
  readonly id: string;
}

/**
 * A new send lets those pass that wait for its endpoint. One that has waited is started by whoever takes its place, and by
 * nobody else; one that begins late takes a place again, or has it still. A test has its organization's bound alone.
 */
export type SendKind = "new" | "waited" | "late" | "test";

/** An organization's sends in flight, as one write left them. Places whose leases have ended are free. */
export interface OrganizationSends {
  readonly organizationId: OrganizationId;
  readonly count: number;
  readonly countMax: number;
  readonly endpoints: readonly EndpointSends[];
  /** Changes whenever a delivery begins to wait. */
  readonly waitingToken: string | null;
}

export interface EndpointSends {
  readonly id: string;
  readonly count: number;
  readonly isWaitedFor: boolean;
  /** An endpoint that keeps timing out takes one send at a time, after this time. */
  readonly pausedUntilMs: number | null;
}

export interface Taken {
  /** `held`: another has taken the place of the send that waited. */
  readonly kind: "taken" | "held" | "full";
  readonly sends: OrganizationSends;
}

/** Each method may be repeated. */
export interface SendStore {
  /** The endpoint is undefined if it does not exist; the lease is in the past if the send has no place. */
  load(
    send: Send,
  ): Promise<{ readonly endpoint: WebhookEndpoint | undefined; readonly leaseUntilMs: number }>;
  /** Takes a place of the organization and of the endpoint at once, or extends the send's own unless it has waited. */
  take(send: Send, kind: SendKind): Promise<Taken>;
  /** @param pausedUntilMs undefined leaves the endpoint's pause, and null ends it */
  end(send: Send, pausedUntilMs?: number | null): Promise<OrganizationSends>;
  wait(job: DeliveryJob): Promise<OrganizationSends>;
  /** Returns the oldest one but for those whose sends are named. */
  firstWaiting(
    organizationId: OrganizationId,
    endpointId: string,
    others?: ReadonlySet<string>,
  ): Promise<DeliveryJob | undefined>;
  stopWaiting(job: DeliveryJob): Promise<void>;
  /** Notes that nothing waits for the endpoint, unless something began to since. */
  noneWaiting(sends: OrganizationSends, endpointId: string): Promise<OrganizationSends>;
  /** Returns organizations with deliveries that wait, each once a minute. */
  listDue(limit: number): Promise<readonly OrganizationSends[]>;
}

export const endpointSendsMax = 5;

/** A place is taken before the attempt is started, which may take a while. */
export const placeMs = 60_000;

/** An attempt begins only with a place for at least this long, and is nobody else's meanwhile. */
export const attemptMs = deliveryAttemptSeconds * 1_000;

export function sendOf(job: DeliveryJob): Send {
  return { organizationId: job.organizationId, endpointId: job.endpointId, id: deliveryName(job) };
}

/** Returns the endpoint with the fewest sends of those that are waited for and have room, but for those named. */
export function nextWaitedFor(
  sends: OrganizationSends,
  nowMs: number,
  others: ReadonlySet<string>,
): EndpointSends | undefined {
  if (sends.count >= sends.countMax) return undefined;
  const hasRoom = ({ count, pausedUntilMs }: EndpointSends) =>
    pausedUntilMs === null ? count < endpointSendsMax : count === 0 && pausedUntilMs <= nowMs;
  const ready = sends.endpoints.filter(
    (endpoint) => endpoint.isWaitedFor && !others.has(endpoint.id) && hasRoom(endpoint),
  );
  return ready.sort((one, other) => one.count - other.count)[0];
}
