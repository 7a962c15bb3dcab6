import type { Edited } from "../entity/edition.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Spilled } from "../spill.ts";

export interface Dimensions {
  readonly width: number;
  readonly height: number;
  /** The pixels of a picture per unit; absent means 1. */
  readonly scale?: number | undefined;
}

/** A recorded sequence of actions used to replay a workflow. Timestamps are ISO 8601. */
export interface Trajectory extends Edited {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  /** The id stays when the workflow is deleted. */
  readonly workflowId: string;
  readonly name: string;
  readonly description: string;
  readonly dimensions: Dimensions | null;
  readonly isApproved: boolean;
  readonly hasBeenApproved: boolean;
  /** The time when a run replayed it unchanged with other inputs than the recording's; null until then. */
  readonly verifiedAt: string | null;
  /** True if the service made it; responses say so by `runId` alone. */
  readonly isGenerated: boolean;
  readonly runId: string | null;
  readonly originalInputValues: JsonObject | null;
  /** An array of at least one action, or null in a list that leaves it out. */
  readonly data: Spilled | null;
  /** A `TrajectoryScreens`, heavy like `data`. */
  readonly screens: Spilled | null;
  /** True if the workflow's runs replay this trajectory. */
  readonly isMain: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The projector finishes the deletion. */
  readonly deletedAt: string | null;
  readonly revision: number;
}

const defaults = {
  name: "",
  description: "",
  dimensions: null,
  isApproved: false,
  hasBeenApproved: false,
  verifiedAt: null,
  isGenerated: false,
  runId: null,
  originalInputValues: null,
  data: null,
  screens: null,
  isMain: false,
} as const satisfies Partial<Trajectory>;

type Known = "id" | "organizationId" | "userId" | "workflowId" | "createdAt";

export function newTrajectory(
  known: Pick<Trajectory, Known> & Partial<Pick<Trajectory, keyof typeof defaults>>,
): Trajectory {
  return { ...defaults, ...known, updatedAt: known.createdAt, deletedAt: null, revision: 1, edition: 0 };
}
