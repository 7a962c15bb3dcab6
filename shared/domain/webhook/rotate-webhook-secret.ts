import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { removeSecret, withSecrets } from "../secrets/own-secret.ts";
import type { EndpointWithSecret } from "./create-webhook-endpoint.ts";
import { requireEndpoint } from "./read-webhook-endpoints.ts";
import { readSigningSecrets, writeSigningSecret } from "./signing-secrets.ts";
import type { WebhookDeps } from "./webhook-deps.ts";
import { previousSecretMs } from "./webhook-endpoint.ts";

/** Writes both secrets under a fresh name, then the row that names it, then removes the old secret. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<EndpointWithSecret> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  return await withSecrets(deps, idempotency, async (leased, abandon) => {
    const before = await requireEndpoint(deps, caller, id);
    const current = await readSigningSecrets(deps, before.secretName);
    const { secretName, values } = await writeSigningSecret(
      deps,
      { organizationId, id, leased },
      current?.secret,
    );
    const nowMs = deps.clock.now();
    const change = {
      secretName,
      previousSecretUntil: isoTimestamp(nowMs + previousSecretMs),
      updatedAt: isoTimestamp(nowMs),
    };
    const outcome = await deps.webhookEndpoints.update(organizationId, id, change, {
      idempotency: leased,
      before,
    });
    if (outcome.kind === "updated") {
      if (before.secretName !== secretName) await removeSecret(deps, before.secretName);
      return { endpoint: outcome.endpoint, secret: values.secret };
    }
    abandon(secretName);
    if (outcome.kind === "not_found") throw notFound("webhook endpoint", id);
    throw new ChangedTooOften("the webhook endpoint");
  });
}
