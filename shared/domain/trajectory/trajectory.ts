import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Spilled } from "../spill.ts";

/** The display's size during recording. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
  /** Pixels of a picture in each unit; absent is 1. */
  readonly scale?: number | undefined;
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
  /** Is, or was once. */
  readonly hasBeenApproved: boolean;
  /** When a run has replayed it as it is, with other inputs than the recording's; null until then. */
  readonly verifiedAt: string | null;
  /** Made by the service, of a run's steps. */
  readonly isGenerated: boolean;
  /** That it was made of; null for one that was sent in. */
  readonly runId: string | null;
  /** The inputs of the run that it was recorded from. */
  readonly originalInputValues: JsonObject | null;
  /** The actions, an array of at least one. Null only in a list that leaves them out. */
  readonly data: Spilled | null;
  /** `TrajectoryScreens`: what the result is judged by, and what leads back to the first screen. Heavy, like `data`. */
  readonly screens: Spilled | null;
  /** The one of its workflow that runs go by. */
  readonly isMain: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was hidden; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Incremented with each write. */
  readonly revision: number;
}
