import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { TagGroup, WorkflowTag } from "./workflow-tag.ts";

export type CreateOutcome =
  | { readonly kind: "written" }
  | { readonly kind: "name_taken"; readonly id: string }
  | { readonly kind: "limit_reached" }
  /** The target group changed since it was read. */
  | { readonly kind: "changed" };

export type ChangeOutcome = Exclude<CreateOutcome, { readonly kind: "limit_reached" }>;

export interface UpdateTagOptions {
  readonly idempotency?: Idempotency | undefined;
  /** The tag's new group, as read before the tag's workflows. */
  readonly into?: TagGroup | undefined;
}

/** A change of a workflow's tags, with everything read to plan it. */
export interface TagAssignment {
  readonly workflow: Workflow;
  readonly tagIds: readonly string[];
  /** Neither deleted nor archived, and in the group that they name. */
  readonly added: readonly WorkflowTag[];
  /** Not deleted, and in the group that they name. */
  readonly removed: readonly WorkflowTag[];
  /** The groups (not deleted) of the added tags, read before the workflow's own tags. */
  readonly groups: readonly TagGroup[];
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Tags, groups, and which workflow has which tag. Deleted ones are never found. A write based on an earlier read is
 * conditional on it and returns `changed` when it no longer holds.
 */
export interface TagStore {
  /** The existing ones, each once; strongly consistent, one call per 100. */
  findTags(organizationId: OrganizationId, tagIds: readonly string[]): Promise<readonly WorkflowTag[]>;
  findGroups(organizationId: OrganizationId, groupIds: readonly string[]): Promise<readonly TagGroup[]>;
  /** All of them, unordered. */
  listTags(organizationId: OrganizationId): Promise<readonly WorkflowTag[]>;
  listGroups(organizationId: OrganizationId): Promise<readonly TagGroup[]>;

  /**
   * Tag, name and limit in one transaction.
   *
   * @param into the tag's group.
   * @throws {AlreadyOnRecord}
   */
  createTag(tag: WorkflowTag, options?: UpdateTagOptions): Promise<CreateOutcome>;
  /**
   * Writes all fields but the counts, and the name's row when the name changes. Moving into a group is conditional on
   * unchanged assignments of both the tag and the group.
   *
   * @throws {AlreadyOnRecord}
   */
  updateTag(before: WorkflowTag, after: WorkflowTag, options?: UpdateTagOptions): Promise<ChangeOutcome>;
  /**
   * Hides the tag and frees its name and its place in the limit in one transaction. False when it has changed.
   *
   * @throws {AlreadyOnRecord}
   */
  markTagDeleted(tag: WorkflowTag, deletedAt: string, idempotency?: Idempotency): Promise<boolean>;
  /** Sets the order of each, all or none; at most 90. False when one no longer exists. @throws {AlreadyOnRecord} */
  reorderTags(
    organizationId: OrganizationId,
    places: readonly { readonly id: string; readonly order: number }[],
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;

  createGroup(group: TagGroup, idempotency?: Idempotency): Promise<CreateOutcome>;
  updateGroup(before: TagGroup, after: TagGroup, idempotency?: Idempotency): Promise<ChangeOutcome>;
  markGroupDeleted(group: TagGroup, deletedAt: string, idempotency?: Idempotency): Promise<boolean>;
  reorderGroups(
    organizationId: OrganizationId,
    places: readonly { readonly id: string; readonly order: number }[],
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;

  /** Ids of at most `max` workflows that have the tag, deleted ones included; strongly consistent. */
  workflowIdsOf(organizationId: OrganizationId, tagId: string, max: number): Promise<readonly string[]>;
  /**
   * Writes the workflow's tags and the tags' counts in one transaction. The recorded result is the tag ids.
   *
   * @returns false when anything changed since it was read.
   * @throws {AlreadyOnRecord}
   */
  assign(assignment: TagAssignment): Promise<boolean>;

  /** For the projector and the sweeper. */
  findDeletedTag(organizationId: OrganizationId, tagId: string): Promise<WorkflowTag | undefined>;
  findDeletedGroup(organizationId: OrganizationId, groupId: string): Promise<TagGroup | undefined>;
  /**
   * Removes a deleted tag from a workflow, or any tag from a deleted workflow (and decrements its count). Idempotent.
   */
  detach(organizationId: OrganizationId, tagId: string, workflowId: string): Promise<void>;
  /** Ids of at most `max` tags that are or were in the group. */
  tagIdsOf(organizationId: OrganizationId, groupId: string, max: number): Promise<readonly string[]>;
  /** Removes a tag from a deleted group. Idempotent. */
  ungroup(organizationId: OrganizationId, groupId: string, tagId: string): Promise<void>;
  /** The last step of a deletion: removes the row. */
  removeTag(tag: WorkflowTag): Promise<void>;
  removeGroup(group: TagGroup): Promise<void>;
}
