import type { OrganizationId } from "../organization-id.ts";

export interface TagAppearance {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** Unique among the organization's tags, or among its groups. */
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly color: string;
  readonly order: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
  /** Incremented with each workflow that gets or loses the tag, or a tag of the group; guards moves of a tag. */
  readonly assignments: number;
}

export interface WorkflowTag extends TagAppearance {
  /** May name a deleted group until its deletion is finished: the tag then has no group. */
  readonly groupId: string | null;
  readonly isArchived: boolean;
  readonly workflowCount: number;
}

/** Tags of which a workflow has at most one. */
export interface TagGroup extends TagAppearance {
  /** Incremented with each tag that moves into the group; guards assignments of its tags. */
  readonly moves: number;
}

export interface DescribedTag {
  readonly tag: WorkflowTag;
  readonly group: TagGroup | null;
}

/** Bounds the list, which has no pages. */
export const tagsMax = 1_000;
export const tagGroupsMax = 200;

export const tagsOfWorkflowMax = 50;
