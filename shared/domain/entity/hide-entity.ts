import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Edit } from "./edition.ts";
import type { EntityStore } from "./entity-store.ts";

interface HideDeps {
  readonly store: Pick<EntityStore<unknown>, "markDeleted">;
  readonly clock: Pick<Clock, "now">;
}

/** Hides an entity in one write; `finishDeletion` does the rest. Returns false when there is no such entity. */
export async function hideEntity(
  { store, clock }: HideDeps,
  caller: Caller,
  { id, ...edit }: Edit & { readonly id: string },
  idempotency?: Idempotency,
): Promise<boolean> {
  requireScope(caller, "write");
  return await store.markDeleted(caller.organizationId, id, isoTimestamp(clock.now()), idempotency, edit);
}
