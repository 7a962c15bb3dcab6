import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { removeSecret } from "../secrets/own-secret.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Removes the row, then its secret; deliveries under way end with their next attempt. */
export async function deleteWebhookEndpoint(
  deps: Pick<WebhookDeps, "webhookEndpoints" | "secrets" | "logger">,
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const outcome = await deps.webhookEndpoints.remove(caller.organizationId, id, idempotency);
  if (outcome.kind === "not_found") throw notFound("webhook endpoint", id);
  await removeSecret(deps, outcome.secretName);
}
