import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { byOrder, type Ordered } from "./read-tags.ts";
import type { TagDeps } from "./tag-deps.ts";
import type { TagNoun } from "./tag-store.ts";

/**
 * Returns the verb that redistributes tags, or groups, over the places that they have now, so that the others keep
 * theirs; all or none. The verb returns the ids in their new order, as recorded, and throws `DomainError` `not_found` for
 * the first missing one.
 */
function reordering(noun: TagNoun, what: string, find: "findTags" | "findGroups") {
  return async (
    deps: Pick<TagDeps, "tags" | "clock">,
    caller: Caller,
    { ids }: { readonly ids: readonly string[] },
    idempotency?: Idempotency,
  ): Promise<readonly string[]> => {
    requireScope(caller, "write");
    const { organizationId } = caller;
    const { tags, clock } = deps;
    return await untilWritten(deps, {
      what,
      read: async () => placesOf(ids, await tags[find](organizationId, ids), noun),
      decide: async (places) => {
        const updatedAt = isoTimestamp(clock.now());
        return (await tags.reorder(noun, organizationId, places, updatedAt, idempotency)) ? ids : overtaken;
      },
    });
  };
}

export const reorderTags = reordering("workflow tag", "the workflow tag", "findTags");
export const reorderTagGroups = reordering("workflow tag group", "the group of tags", "findGroups");

function placesOf(ids: readonly string[], found: readonly Ordered[], noun: TagNoun): readonly Ordered[] {
  const missing = ids.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) throw notFound(noun, missing);
  return shareOut(ids, found);
}

/** Returns the current places, lowest first; of two at the same place the second moves up. */
function shareOut(ids: readonly string[], now: readonly Ordered[]): readonly Ordered[] {
  const sorted = now.toSorted(byOrder);
  let last = Number.NEGATIVE_INFINITY;
  return ids.map((id, index) => {
    last = Math.max(sorted[index]?.order ?? 0, last + 1);
    return { id, order: last };
  });
}
