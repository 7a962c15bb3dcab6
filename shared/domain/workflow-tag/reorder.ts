import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { type Noun, notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { byOrder, type Ordered } from "./read-tags.ts";
import type { TagDeps } from "./tag-deps.ts";

type ReorderDeps = Pick<TagDeps, "tags" | "clock">;

interface ReorderInput {
  readonly ids: readonly string[];
}

/**
 * Redistributes the tags over the places that they have now, so that the others keep theirs; all or none.
 *
 * @returns the ids in their new order, as recorded.
 * @throws {DomainError} `not_found` for the first missing one.
 */
export async function reorderTags(
  deps: ReorderDeps,
  caller: Caller,
  input: ReorderInput,
  idempotency?: Idempotency,
) {
  const { tags } = deps;
  return await reorder(deps, caller, input, {
    what: "the workflow tag",
    find: (...given) => tags.findTags(...given),
    write: (...given) => tags.reorderTags(...given, idempotency),
    noun: "workflow tag",
  });
}

export async function reorderTagGroups(
  deps: ReorderDeps,
  caller: Caller,
  input: ReorderInput,
  idempotency?: Idempotency,
) {
  const { tags } = deps;
  return await reorder(deps, caller, input, {
    what: "the group of tags",
    find: (...given) => tags.findGroups(...given),
    write: (...given) => tags.reorderGroups(...given, idempotency),
    noun: "workflow tag group",
  });
}

interface Reordered {
  readonly what: string;
  readonly find: (organizationId: OrganizationId, ids: readonly string[]) => Promise<readonly Ordered[]>;
  readonly write: (
    organizationId: OrganizationId,
    places: readonly Ordered[],
    updatedAt: string,
  ) => Promise<boolean>;
  readonly noun: Noun;
}

async function reorder(
  deps: ReorderDeps,
  caller: Caller,
  { ids }: ReorderInput,
  { what, noun, find, write }: Reordered,
): Promise<readonly string[]> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  return await untilWritten(deps, {
    what,
    read: async () => placesOf(ids, await find(organizationId, ids), noun),
    decide: async (places) =>
      (await write(organizationId, places, isoTimestamp(deps.clock.now()))) ? ids : overtaken,
  });
}

function placesOf(ids: readonly string[], found: readonly Ordered[], noun: Noun): readonly Ordered[] {
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
