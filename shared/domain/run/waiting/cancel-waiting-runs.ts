import { type Clock, isoTimestamp } from "../../clock.ts";
import { forEachBounded } from "../../maintenance/bounded-parallel.ts";
import type { WaitingRuns } from "../../workflow/waiting-runs.ts";
import type { RunStore } from "../run-store.ts";

const pageRows = 1_000;

const reason = "the workflow was deleted before the run began";

/** Cancels the runs that wait for a deleted workflow; a run that has moved on meanwhile is left alone. */
export function createWaitingRuns(deps: {
  readonly runs: Pick<RunStore, "list" | "update">;
  readonly clock: Pick<Clock, "now">;
}): WaitingRuns {
  return {
    async cancelWaitingRuns(organizationId, workflowId) {
      for (let skip = 0; ; skip += pageRows) {
        const page = { skip, limit: pageRows };
        const { items, total } = await deps.runs.list(organizationId, { workflowId }, page, []);
        const waiting = items.filter(({ status }) => status === "scheduling");
        await forEachBounded(waiting, async ({ id }) => {
          const change = {
            status: "cancelled",
            error: [reason],
            endedAt: isoTimestamp(deps.clock.now()),
          } as const;
          // Without an assignment id this cannot end a run that has begun meanwhile.
          await deps.runs.update(organizationId, id, change);
        });
        if (skip + pageRows >= total) return;
      }
    },
  };
}
