import type { OrganizationId } from "../access/organization-id.ts";
import type { JsonObject } from "../json.ts";
import type { Spilled } from "../spill.ts";

/** Of the display when the actions were recorded, in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** A recorded sequence of actions used to replay a workflow. Timestamps are ISO 8601. */
export interface Trajectory {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  /** Stays when the workflow is deleted. */
  readonly workflowId: string;
  readonly name: string;
  readonly description: string;
  readonly dimensions: Dimensions | null;
  readonly isApproved: boolean;
  /** The inputs of the run that it was recorded from. */
  readonly originalInputValues: JsonObject | null;
  /** The actions, an array of at least one. Null in a list that leaves them out, and nowhere else. */
  readonly data: Spilled | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each write. */
  readonly revision: number;
}
