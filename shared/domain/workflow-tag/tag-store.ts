import type { Noun } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { TagGroup, WorkflowTag } from "./workflow-tag.ts";

export type TagNoun = Extract<Noun, "workflow tag" | "workflow tag group">;

export type CreateOutcome =
  | { readonly kind: "written" }
  | { readonly kind: "name_taken"; readonly id: string }
  | { readonly kind: "limit_reached" }
  | { readonly kind: "changed" };

export type ChangeOutcome = Exclude<CreateOutcome, { readonly kind: "limit_reached" }>;

export interface UpdateTagOptions {
  readonly idempotency?: Idempotency | undefined;
  /** The tag's new group, as read before the tag's workflows. */
  readonly into?: TagGroup | undefined;
}

export interface TagAssignment {
  readonly workflow: Workflow;
  readonly tagIds: readonly string[];
  readonly added: readonly WorkflowTag[];
  readonly removed: readonly WorkflowTag[];
  /** The groups (not deleted) of the added tags, read before the workflow's own tags. */
  readonly groups: readonly TagGroup[];
  readonly idempotency?: Idempotency | undefined;
}

/** Deleted ones are never found. Writes are conditional on what was read; `changed` says that it no longer holds. */
export interface TagStore {
  /** Returns the existing ones, each once, in a strongly consistent read. */
  findTags(organizationId: OrganizationId, tagIds: readonly string[]): Promise<readonly WorkflowTag[]>;
  findGroups(organizationId: OrganizationId, groupIds: readonly string[]): Promise<readonly TagGroup[]>;
  listTags(organizationId: OrganizationId): Promise<readonly WorkflowTag[]>;
  listGroups(organizationId: OrganizationId): Promise<readonly TagGroup[]>;

  createTag(tag: WorkflowTag, options?: UpdateTagOptions): Promise<CreateOutcome>;
  /** A move into a group is conditional on unchanged assignments of both the tag and the group. */
  updateTag(before: WorkflowTag, after: WorkflowTag, options?: UpdateTagOptions): Promise<ChangeOutcome>;
  createGroup(group: TagGroup, idempotency?: Idempotency): Promise<CreateOutcome>;
  updateGroup(before: TagGroup, after: TagGroup, idempotency?: Idempotency): Promise<ChangeOutcome>;

  /** Frees the name and the place in the limit in the same transaction. Returns false when it has changed. */
  markDeleted(
    noun: TagNoun,
    tagOrGroup: WorkflowTag | TagGroup,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Sets the order of at most 90, all or none. Returns false when one no longer exists. */
  reorder(
    noun: TagNoun,
    organizationId: OrganizationId,
    places: readonly { readonly id: string; readonly order: number }[],
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;

  /** Includes deleted workflows. The read is strongly consistent. */
  workflowIdsOf(organizationId: OrganizationId, tagId: string, max: number): Promise<readonly string[]>;
  /** Writes the tags' counts in the same transaction. Returns false when anything changed since it was read. */
  assign(assignment: TagAssignment): Promise<boolean>;

  findDeletedTag(organizationId: OrganizationId, tagId: string): Promise<WorkflowTag | undefined>;
  findDeletedGroup(organizationId: OrganizationId, groupId: string): Promise<TagGroup | undefined>;
  /** Removes a deleted tag from a workflow, or any tag from a deleted workflow. Idempotent. */
  detach(organizationId: OrganizationId, tagId: string, workflowId: string): Promise<void>;
  /** Includes tags that were in the group. */
  tagIdsOf(organizationId: OrganizationId, groupId: string, max: number): Promise<readonly string[]>;
  /** Removes a tag from a deleted group. Idempotent. */
  ungroup(organizationId: OrganizationId, groupId: string, tagId: string): Promise<void>;
  /** Ends a deletion by removing the row. */
  removeTag(tag: WorkflowTag): Promise<void>;
  removeGroup(group: TagGroup): Promise<void>;
}
