import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { CreateWebhookEndpointInput } from "./create-webhook-endpoint.ts";
import { requireAddress, type WebhookDeps } from "./webhook-deps.ts";
import { notFailing, type WebhookEndpoint } from "./webhook-endpoint.ts";

export interface UpdateWebhookEndpointInput extends Partial<CreateWebhookEndpointInput> {
  readonly id: string;
}

/** A new address, or a switch, resets the endpoint's failures. @throws {InvalidInput} for a refused address */
export async function updateWebhookEndpoint(
  deps: Pick<WebhookDeps, "webhookEndpoints" | "webhookSender" | "clock">,
  caller: Caller,
  { id, ...fields }: UpdateWebhookEndpointInput,
  idempotency?: Idempotency,
): Promise<WebhookEndpoint> {
  requireScope(caller, "write");
  if (fields.url !== undefined) requireAddress(deps, fields.url);
  const isAnew = fields.url !== undefined || fields.isEnabled !== undefined;
  const change = { ...fields, ...(isAnew && notFailing), updatedAt: isoTimestamp(deps.clock.now()) };
  const outcome = await deps.webhookEndpoints.update(caller.organizationId, id, change, { idempotency });
  switch (outcome.kind) {
    case "updated":
      return outcome.endpoint;
    case "not_found":
      throw notFound("webhook endpoint", id);
    case "changed":
      throw new ChangedTooOften("the webhook endpoint");
  }
}
