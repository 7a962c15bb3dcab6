import type { DisabledReason } from "../../vocabulary/events.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

/** The fields that a request can change. Absent means unchanged. */
export type WebhookEndpointChange = Partial<
  Omit<WebhookEndpoint, "id" | "organizationId" | "createdAt" | "updatedAt" | "revision">
> &
  Pick<WebhookEndpoint, "updatedAt">;

export type CreateEndpointOutcome = { readonly kind: "created" } | { readonly kind: "limit_reached" };

export type UpdateEndpointOutcome =
  | { readonly kind: "updated"; readonly endpoint: WebhookEndpoint }
  | { readonly kind: "not_found" }
  | { readonly kind: "changed" };

export type RemoveEndpointOutcome =
  | { readonly kind: "removed"; readonly secretName: string }
  | { readonly kind: "not_found" };

/** A place for an attempt in flight. Its lease ends by itself. */
export interface EndpointSlot {
  readonly organizationId: OrganizationId;
  readonly endpointId: string;
  readonly number: number;
  /** Who has it. */
  readonly deliveryId: string;
}

export interface EndpointWithSlots {
  readonly endpoint: WebhookEndpoint;
  /** Numbers of those without a lease. */
  readonly freeSlots: readonly number[];
}

/** A failed attempt's findings about its endpoint. */
export interface EndpointFailure {
  readonly at: string;
  readonly isTimeout: boolean;
}

export interface WebhookEndpointStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, id: string): Promise<WebhookEndpoint | undefined>;
  /** Newest first: one query. */
  list(organizationId: OrganizationId): Promise<readonly WebhookEndpoint[]>;
  /** Writes endpoint, count and any idempotency record in one transaction. @throws {AlreadyOnRecord} */
  create(endpoint: WebhookEndpoint, idempotency?: Idempotency): Promise<CreateEndpointOutcome>;
  /**
   * One conditional write; with an idempotency record, one read and one transaction.
   *
   * @param before given: `changed` when it names another secret by now.
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    id: string,
    change: WebhookEndpointChange,
    options?: {
      readonly idempotency?: Idempotency | undefined;
      readonly before?: WebhookEndpoint | undefined;
    },
  ): Promise<UpdateEndpointOutcome>;
  /** One read and one transaction. @throws {AlreadyOnRecord} */
  remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveEndpointOutcome>;
  /** With its free slots: one read. */
  findWithSlots(organizationId: OrganizationId, id: string): Promise<EndpointWithSlots | undefined>;
  /** Undefined when all are taken by now. No write when none was free; else one, and one more for each taken since. */
  takeSlot(found: EndpointWithSlots, deliveryId: string): Promise<EndpointSlot | undefined>;
  /** Changes nothing when the lease has ended and another attempt has the slot. One write. */
  giveBackSlot(slot: EndpointSlot): Promise<void>;
  /** Takes the turn of an endpoint that is tried once a minute; false when it is not its time. One write. */
  takeTurn(endpoint: WebhookEndpoint): Promise<boolean>;
  /** The endpoint after it; undefined when it has another address by now. One write. */
  noteFailure(endpoint: WebhookEndpoint, failure: EndpointFailure): Promise<WebhookEndpoint | undefined>;
  /** One write; none for one that was not failing. */
  noteSuccess(endpoint: WebhookEndpoint): Promise<void>;
  /** Nothing when it has another address by now. One write. */
  switchOff(endpoint: WebhookEndpoint, reason: DisabledReason): Promise<void>;
}

/** As many attempts may be in flight at one endpoint. */
export const endpointSlots = 5;

/** How often an endpoint is tried that keeps timing out. */
export const turnMs = 60_000;
