import type { DisabledReason } from "../../vocabulary/events.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

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

/** A slot for an attempt in flight. Its lease ends by itself. */
export interface EndpointSlot {
  readonly organizationId: OrganizationId;
  readonly endpointId: string;
  readonly number: number;
  readonly deliveryId: string;
}

export interface EndpointWithSlots {
  readonly endpoint: WebhookEndpoint;
  readonly freeSlots: readonly number[];
}

export interface EndpointFailure {
  readonly at: string;
  readonly isTimeout: boolean;
}

export interface WebhookEndpointStore {
  find(organizationId: OrganizationId, id: string): Promise<WebhookEndpoint | undefined>;
  /** Lists newest first. */
  list(organizationId: OrganizationId): Promise<readonly WebhookEndpoint[]>;
  create(endpoint: WebhookEndpoint, idempotency?: Idempotency): Promise<CreateEndpointOutcome>;
  /** `changed` means that `before` was given and the endpoint names another secret by now. */
  update(
    organizationId: OrganizationId,
    id: string,
    change: WebhookEndpointChange,
    options?: {
      readonly idempotency?: Idempotency | undefined;
      readonly before?: WebhookEndpoint | undefined;
    },
  ): Promise<UpdateEndpointOutcome>;
  remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveEndpointOutcome>;
  findWithSlots(organizationId: OrganizationId, id: string): Promise<EndpointWithSlots | undefined>;
  /** Returns undefined when all are taken by now. */
  takeSlot(found: EndpointWithSlots, deliveryId: string): Promise<EndpointSlot | undefined>;
  /** Changes nothing when the lease has ended and another attempt has the slot. */
  giveBackSlot(slot: EndpointSlot): Promise<void>;
  /** Takes the turn of an endpoint that is tried once a minute. Returns false before its time. */
  takeTurn(endpoint: WebhookEndpoint): Promise<boolean>;
  /** Returns undefined when the endpoint has another address by now. */
  noteFailure(endpoint: WebhookEndpoint, failure: EndpointFailure): Promise<WebhookEndpoint | undefined>;
  /** Writes nothing for an endpoint that was not failing. */
  noteSuccess(endpoint: WebhookEndpoint): Promise<void>;
  /** Changes nothing when the endpoint has another address by now. */
  switchOff(endpoint: WebhookEndpoint, reason: DisabledReason): Promise<void>;
}

export const endpointSlots = 5;

/** An endpoint that keeps timing out is tried once in this time. */
export const turnMs = 60_000;
