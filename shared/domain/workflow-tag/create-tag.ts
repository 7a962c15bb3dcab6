import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { requireTagGroup } from "./read-tags.ts";
import { isWritten, type TagDeps } from "./tag-deps.ts";
import {
  type TagAppearance,
  type TagGroup,
  tagGroupsMax,
  tagsMax,
  type WorkflowTag,
} from "./workflow-tag.ts";

export type CreateTagGroupInput = Pick<TagAppearance, "name"> &
  Partial<Pick<TagAppearance, "description" | "emoji" | "color" | "order">>;

export type CreateTagInput = CreateTagGroupInput & { readonly groupId?: string | null };

/** @throws {DomainError} `not_found` for a missing group, `name_taken` or `limit_reached`. */
export async function createTag(
  deps: TagDeps,
  caller: Caller,
  input: CreateTagInput,
  idempotency?: Idempotency,
): Promise<WorkflowTag> {
  requireScope(caller, "write");
  const { groupId = null, ...looks } = input;
  const tag = {
    ...newAppearance(deps, caller, looks, idempotency),
    groupId,
    isArchived: false,
    workflowCount: 0,
  };
  return await untilWritten(deps, {
    what: "the workflow tag",
    read: async () =>
      groupId === null ? undefined : await requireTagGroup(deps, caller.organizationId, groupId),
    decide: async (into) => {
      const outcome = await deps.tags.createTag(tag, { into, idempotency });
      return isWritten(outcome, tag.name, "workflow tags", tagsMax) ? tag : overtaken;
    },
  });
}

/** @throws {DomainError} `name_taken` or `limit_reached`. */
export async function createTagGroup(
  deps: TagDeps,
  caller: Caller,
  input: CreateTagGroupInput,
  idempotency?: Idempotency,
): Promise<TagGroup> {
  requireScope(caller, "write");
  const group = { ...newAppearance(deps, caller, input, idempotency), moves: 0 };
  const outcome = await deps.tags.createGroup(group, idempotency);
  if (isWritten(outcome, group.name, "workflow tag groups", tagGroupsMax)) return group;
  throw new ChangedTooOften("the group of tags");
}

function newAppearance(
  deps: TagDeps,
  caller: Caller,
  input: CreateTagGroupInput,
  idempotency?: Idempotency,
): TagAppearance {
  const createdAt = isoTimestamp(deps.clock.now());
  return {
    description: "",
    emoji: "",
    color: "",
    order: 0,
    ...input,
    id: idempotency?.ids[0] ?? deps.ids.uuid7(),
    organizationId: caller.organizationId,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    revision: 1,
    assignments: 0,
  };
}
