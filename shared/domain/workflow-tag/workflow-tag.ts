import type { OrganizationId } from "../organization-id.ts";

export interface TagAppearance {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** The name is unique among the organization's tags, or among its groups. */
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly color: string;
  readonly order: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
  /** Each workflow that gets or loses the tag, or a tag of the group, increments this, which guards moves of a tag. */
  readonly assignments: number;
}

export interface WorkflowTag extends TagAppearance {
  /** A deleted group may be named until its deletion is finished; the tag then has no group. */
  readonly groupId: string | null;
  readonly isArchived: boolean;
  readonly workflowCount: number;
}

/** A group of tags of which a workflow has at most one. */
export interface TagGroup extends TagAppearance {
  /** Each tag that moves into the group increments this, which guards assignments of its tags. */
  readonly moves: number;
}

export interface DescribedTag {
  readonly tag: WorkflowTag;
  readonly group: TagGroup | null;
}

/** The bound of the list, which has no pages. */
export const tagsMax = 1_000;
export const tagGroupsMax = 200;

export const tagsOfWorkflowMax = 50;
