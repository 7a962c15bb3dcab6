import { isoTimestamp } from "../../clock.ts";
import { replayedContent } from "../../plan/make-plan.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Invocation } from "../step/invocation.ts";

/**
 * Verifies the trajectory after whole replays with other inputs than the recording's, unless it has changed since. If
 * approved, it becomes the main one of a workflow without one. Idempotent.
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
      // No run uses the trajectories of a deleted workflow.
      return kind === "changed" ? overtaken : undefined;
    },
  });
}
