import { webhookEndpointsMax } from "../../vocabulary/events.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withSecrets } from "../secrets/own-secret.ts";
import { writeSigningSecret } from "./signing-secrets.ts";
import { requireAddress, type WebhookDeps } from "./webhook-deps.ts";
import { notFailing, type WebhookEndpoint } from "./webhook-endpoint.ts";

export type CreateWebhookEndpointInput = Pick<WebhookEndpoint, "url"> &
  Partial<Pick<WebhookEndpoint, "description" | "eventTypes" | "isEnabled">>;

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * @throws {InvalidInput} for an address that is not public.
 * @throws {DomainError} `limit_reached`, or `rate_limited` by the secret store.
 */
export async function createWebhookEndpoint(
  deps: WebhookDeps,
  caller: Caller,
  input: CreateWebhookEndpointInput,
  idempotency?: Idempotency,
): Promise<EndpointWithSecret> {
  requireScope(caller, "write");
  requireAddress(deps, input.url);
  const { organizationId } = caller;
  return await withSecrets(deps, idempotency, async (leased, abandon) => {
    const id = leased?.ids[0] ?? deps.ids.uuid7();
    const { secretName, values } = await writeSigningSecret(deps, { organizationId, id, leased });
    const createdAt = isoTimestamp(deps.clock.now());
    const endpoint: WebhookEndpoint = {
      description: "",
      eventTypes: [],
      isEnabled: true,
      ...input,
      id,
      organizationId,
      secretName,
      previousSecretUntil: null,
      ...notFailing,
      createdAt,
      updatedAt: createdAt,
      revision: 1,
    };
    const outcome = await deps.webhookEndpoints.create(endpoint, leased);
    if (outcome.kind === "created") return { endpoint, secret: values.secret };
    abandon(secretName);
    throw limitReached("webhook endpoints", webhookEndpointsMax);
  });
}
