import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { requireTag, requireTagGroup } from "./read-tags.ts";
import type { TagDeps } from "./tag-deps.ts";
import type { TagNoun } from "./tag-store.ts";
import type { TagGroup, WorkflowTag } from "./workflow-tag.ts";

/** Returns the verb that hides a tag or group at once and frees its name; the projector removes it from the rest. */
function deleting(
  noun: TagNoun,
  what: string,
  find: (deps: DeleteDeps, organizationId: OrganizationId, id: string) => Promise<WorkflowTag | TagGroup>,
) {
  return async (
    deps: DeleteDeps,
    caller: Caller,
    { id }: { readonly id: string },
    idempotency?: Idempotency,
  ): Promise<void> => {
    requireScope(caller, "write");
    const deletedAt = isoTimestamp(deps.clock.now());
    await untilWritten(deps, {
      what,
      read: () => find(deps, caller.organizationId, id),
      decide: async (found) =>
        (await deps.tags.markDeleted(noun, found, deletedAt, idempotency)) || overtaken,
    });
  };
}

type DeleteDeps = Pick<TagDeps, "tags" | "clock">;

export const deleteTag = deleting("workflow tag", "the workflow tag", requireTag);
export const deleteTagGroup = deleting("workflow tag group", "the group of tags", requireTagGroup);
