import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { requireTag, requireTagGroup } from "./read-tags.ts";
import type { TagDeps } from "./tag-deps.ts";

type DeleteDeps = Pick<TagDeps, "tags" | "clock">;

/** Hides the tag at once and frees its name; the projector removes it from the workflows. */
export async function deleteTag(
  deps: DeleteDeps,
  caller: Caller,
  input: { readonly tagId: string },
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  await untilWritten(deps, {
    what: "the workflow tag",
    read: () => requireTag(deps, caller.organizationId, input.tagId),
    decide: async (tag) => (await deps.tags.markTagDeleted(tag, deletedAt, idempotency)) || overtaken,
  });
}

/** Hides the group at once and frees its name; the projector removes its id from the tags. */
export async function deleteTagGroup(
  deps: DeleteDeps,
  caller: Caller,
  input: { readonly groupId: string },
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  await untilWritten(deps, {
    what: "the group of tags",
    read: () => requireTagGroup(deps, caller.organizationId, input.groupId),
    decide: async (group) => (await deps.tags.markGroupDeleted(group, deletedAt, idempotency)) || overtaken,
  });
}
