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
  /** Returns undefined when the endpoint has another address by now. */
  noteFailure(endpoint: WebhookEndpoint, failure: EndpointFailure): Promise<WebhookEndpoint | undefined>;
  /** Writes nothing for an endpoint that was not failing. */
  noteSuccess(endpoint: WebhookEndpoint): Promise<void>;
  /** Changes nothing when the endpoint has another address by now. */
  switchOff(endpoint: WebhookEndpoint, reason: DisabledReason): Promise<void>;
}
