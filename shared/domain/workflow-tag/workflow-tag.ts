import type { OrganizationId } from "../access/organization-id.ts";

/** What tags and groups have in common. Timestamps are ISO 8601. */
export interface TagAppearance {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** Unique among the organization's tags, or among its groups. */
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly color: string;
  /** Lists are sorted by it, lowest first. */
  readonly order: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each change of what is above (and of a tag's group and archival). */
  readonly revision: number;
  /** Goes up by one with each workflow that gets or loses the tag, or a tag of the group: for whoever moves a tag. */
  readonly assignments: number;
}

/** A label of workflows. */
export interface WorkflowTag extends TagAppearance {
  /** May name a group that has been deleted, until its deletion is finished: the tag has no group then. */
  readonly groupId: string | null;
  readonly isArchived: boolean;
  readonly workflowCount: number;
}

/** Tags of which a workflow has at most one. */
export interface TagGroup extends TagAppearance {
  /** Goes up by one with each tag that comes into the group: for whoever gives a workflow a tag of it. */
  readonly moves: number;
}

/** A tag with its living group. */
export interface DescribedTag {
  readonly tag: WorkflowTag;
  readonly group: TagGroup | null;
}

/** So that a list without pages stays bounded. */
export const tagsMax = 1_000;
export const tagGroupsMax = 200;

/** Most tags of one workflow. */
export const tagsOfWorkflowMax = 50;
