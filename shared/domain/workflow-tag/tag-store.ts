import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { TagGroup, WorkflowTag } from "./workflow-tag.ts";

export type CreateOutcome =
  | { readonly kind: "written" }
  | { readonly kind: "name_taken"; readonly id: string }
  | { readonly kind: "limit_reached" }
  /** The group that it was to be in is no longer what was read. */
  | { readonly kind: "changed" };

export type ChangeOutcome = Exclude<CreateOutcome, { readonly kind: "limit_reached" }>;

export interface UpdateTagOptions {
  readonly idempotency?: Idempotency | undefined;
  /** The group that the tag comes into, as it was read before the tag's workflows were looked at. */
  readonly into?: TagGroup | undefined;
}

/** A workflow's tags after a change, with all that was read to find them. */
export interface TagAssignment {
  readonly workflow: Workflow;
  readonly tagIds: readonly string[];
  /** Living, not archived, and in the group that they name. */
  readonly added: readonly WorkflowTag[];
  /** Living, and in the group that they name. */
  readonly removed: readonly WorkflowTag[];
  /** The living groups of what is added, read before the tags that the workflow has. */
  readonly groups: readonly TagGroup[];
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Tags, groups, and which workflow has which tag. Deleted ones are never found. Every write of what was read before
 * is made on the condition that it is still so, and says `changed` when it is not.
 */
export interface TagStore {
  /** Those that are there, each once; strongly consistent, one call per 100. */
  findTags(organizationId: OrganizationId, tagIds: readonly string[]): Promise<readonly WorkflowTag[]>;
  findGroups(organizationId: OrganizationId, groupIds: readonly string[]): Promise<readonly TagGroup[]>;
  /** All of them, in no order. */
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
   * Everything but the counts, and the name's row when the name changes. Coming into a group asks that neither the
   * tag's nor the group's assignments have changed.
   *
   * @throws {AlreadyOnRecord}
   */
  updateTag(before: WorkflowTag, after: WorkflowTag, options?: UpdateTagOptions): Promise<ChangeOutcome>;
  /**
   * Hides the tag, frees its name and its place in the limit in one transaction. False when it has changed.
   *
   * @throws {AlreadyOnRecord}
   */
  markTagDeleted(tag: WorkflowTag, deletedAt: string, idempotency?: Idempotency): Promise<boolean>;
  /** Gives each its order, all or none; at most 90. False when one is no longer there. @throws {AlreadyOnRecord} */
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

  /** The ids of at most `max` workflows that have the tag, deleted ones among them; strongly consistent. */
  workflowIdsOf(organizationId: OrganizationId, tagId: string, max: number): Promise<readonly string[]>;
  /**
   * One transaction: the workflow's tags, the tags' counts. With an idempotency record, its answer is the tag ids.
   *
   * @returns false when something is no longer what was read.
   * @throws {AlreadyOnRecord}
   */
  assign(assignment: TagAssignment): Promise<boolean>;

  /** For the projector and the sweeper. */
  findDeletedTag(organizationId: OrganizationId, tagId: string): Promise<WorkflowTag | undefined>;
  findDeletedGroup(organizationId: OrganizationId, groupId: string): Promise<TagGroup | undefined>;
  /** Takes a deleted tag from a workflow, or any tag from a deleted one (whose count goes down); once. */
  detach(organizationId: OrganizationId, tagId: string, workflowId: string): Promise<void>;
  /** The ids of at most `max` tags that are or were in the group. */
  tagIdsOf(organizationId: OrganizationId, groupId: string, max: number): Promise<readonly string[]>;
  /** Takes a tag out of a deleted group, if it is still in it; again without harm. */
  ungroup(organizationId: OrganizationId, groupId: string, tagId: string): Promise<void>;
  /** The last step of a deletion: the row goes. */
  removeTag(tag: WorkflowTag): Promise<void>;
  removeGroup(group: TagGroup): Promise<void>;
}
