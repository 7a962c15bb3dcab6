import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { EntityStore } from "./entity-store.ts";

/**
 * Deletes an entity for its callers, in one write; `finishDeletion` does the rest after the commit.
 *
 * @returns false when there is no such entity.
 * @throws {DomainError} `insufficient_scope`.
 * @throws {AlreadyOnRecord}
 */
export async function hideEntity(
  store: Pick<EntityStore<unknown>, "markDeleted">,
  clock: Pick<Clock, "now">,
  caller: Caller,
  { id, idempotency }: { readonly id: string; readonly idempotency?: Idempotency | undefined },
): Promise<boolean> {
  requireScope(caller, "write");
  return await store.markDeleted(caller.organizationId, id, isoTimestamp(clock.now()), idempotency);
}
