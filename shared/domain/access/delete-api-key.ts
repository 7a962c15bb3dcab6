import { type Clock, isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { ApiKeyStore } from "./api-key.ts";
import { type Caller, requireScope } from "./caller.ts";

/** The sweeper closes the key's connections. @throws {DomainError} `not_found`, or `conflict` for an operator's key */
export async function deleteApiKey(
  deps: { readonly apiKeys: Pick<ApiKeyStore, "find" | "remove">; readonly clock: Pick<Clock, "now"> },
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<null> {
  requireScope(caller, "admin");
  const key = await deps.apiKeys.find(id);
  if (key?.organizationId !== caller.organizationId) throw notFound();
  if (key.scopes.includes("operator")) {
    throw new DomainError("conflict", "the key has the scope operator; the operator's program revokes it");
  }
  const isRemoved = await deps.apiKeys.remove(key, isoTimestamp(deps.clock.now()), idempotency);
  if (!isRemoved) throw notFound();
  return null;
}

function notFound(): DomainError {
  return new DomainError("not_found", "there is no such API key");
}
