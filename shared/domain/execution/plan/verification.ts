import { isoTimestamp } from "../../clock.ts";
import type { Trajectory } from "../../trajectory/trajectory.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Invocation } from "../step/invocation.ts";

/** Replays in a row: the last one has to find what the one before has left. */
export const verificationRounds = 2;

/** The content that a replay used: a trajectory with other content by now is not verified by it. */
export function replayedContent({ data, screens, dimensions }: Trajectory): string {
  return JSON.stringify([data, screens, dimensions]);
}

/**
 * After whole replays with other inputs than the recording's: the trajectory is verified, unless it is another one by
 * now. Approved, it becomes the main one of a workflow that has none. Idempotent.
 */
export async function recordVerified({ deps, job, plan }: Invocation): Promise<void> {
  const { verifies, trajectoryId } = plan;
  if (verifies === null || trajectoryId === null) return;
  const { organizationId } = job;
  await untilWritten(deps, {
    what: "the trajectory",
    read: () => deps.trajectories.find(organizationId, trajectoryId),
    decide: async (before) => {
      if (before === undefined || replayedContent(before) !== verifies.content) return undefined;
      const main = before.isApproved
        ? await deps.trajectories.findMain(organizationId, before.workflowId)
        : undefined;
      const now = isoTimestamp(deps.clock.now());
      const isMain = before.isApproved && main === undefined;
      const change = { verifiedAt: now, updatedAt: now, ...(isMain && { isMain }) };
      const { kind } = await deps.trajectories.updateAsRead(before, change);
      // A deleted workflow's trajectories are used by no run.
      return kind === "changed" ? overtaken : undefined;
    },
  });
}
