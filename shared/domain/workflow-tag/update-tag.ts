import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { CreateTagGroupInput, CreateTagInput } from "./create-tag.ts";
import { requireTag, requireTagGroup } from "./read-tags.ts";
import { requireNoClash } from "./require-no-clash.ts";
import { isWritten, type TagDeps, type TaggingDeps } from "./tag-deps.ts";
import { type TagGroup, tagGroupsMax, tagsMax, type WorkflowTag } from "./workflow-tag.ts";

export type UpdateTagInput = Partial<CreateTagInput> & {
  readonly tagId: string;
  readonly isArchived?: boolean;
};

/**
 * A tag moves into a group only while no workflow has both it and another tag of the group.
 *
 * @throws {DomainError} `not_found`, `name_taken`, or `conflict` with the workflows in `details`.
 */
export async function updateTag(
  deps: TagDeps & TaggingDeps,
  caller: Caller,
  { tagId, ...fields }: UpdateTagInput,
  idempotency?: Idempotency,
): Promise<WorkflowTag> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  return await untilWritten(deps, {
    what: "the workflow tag",
    read: () => requireTag(deps, organizationId, tagId),
    decide: async (before) => {
      const after = changed(before, fields, isoTimestamp(deps.clock.now()));
      const into = fields.groupId == null ? undefined : await groupEntered(deps, before, fields.groupId);
      const outcome = await deps.tags.updateTag(before, after, { into, idempotency });
      return isWritten(outcome, after.name, "workflow tags", tagsMax) ? after : overtaken;
    },
  });
}

/** @throws {DomainError} `not_found` or `name_taken`. */
export async function updateTagGroup(
  deps: TagDeps,
  caller: Caller,
  { groupId, ...fields }: Partial<CreateTagGroupInput> & { readonly groupId: string },
  idempotency?: Idempotency,
): Promise<TagGroup> {
  requireScope(caller, "write");
  return await untilWritten(deps, {
    what: "the group of tags",
    read: () => requireTagGroup(deps, caller.organizationId, groupId),
    decide: async (before) => {
      const after = changed(before, fields, isoTimestamp(deps.clock.now()));
      const outcome = await deps.tags.updateGroup(before, after, idempotency);
      return isWritten(outcome, after.name, "workflow tag groups", tagGroupsMax) ? after : overtaken;
    },
  });
}

function changed<T extends WorkflowTag | TagGroup>(before: T, fields: Partial<T>, now: string): T {
  const after = { ...before, ...fields };
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  return { ...after, updatedAt: isSame ? before.updatedAt : now, revision: before.revision + 1 };
}

async function groupEntered(
  deps: TaggingDeps,
  tag: WorkflowTag,
  groupId: string,
): Promise<TagGroup | undefined> {
  // The group is read first, so that the write detects a later assignment of one of its tags.
  const group = await requireTagGroup(deps, tag.organizationId, groupId);
  if (tag.groupId === groupId) return undefined;
  await requireNoClash(deps, tag, group);
  return group;
}
