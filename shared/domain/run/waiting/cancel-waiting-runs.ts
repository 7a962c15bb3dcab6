import { forEachBounded } from "../../bounded-parallel.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { WaitingRuns } from "../../workflow/workflow-deps.ts";
import type { RunStore } from "../run-store.ts";

/** An invocation has 60 s; the rest is left for another one. */
const cancelingMs = 30_000;

const reason = "the workflow was deleted before the run began";

/** Only waiting runs are read, by cursor, so that ended ones cost nothing. */
export function createWaitingRuns(deps: {
  readonly runs: Pick<RunStore, "listWaiting" | "update">;
  readonly clock: Pick<Clock, "now">;
}): WaitingRuns {
  return {
    async cancelWaitingRuns(organizationId, workflowId) {
      const untilMs = deps.clock.now() + cancelingMs;
      for (let after: string | null = null; ; ) {
        const { runs, position } = await deps.runs.listWaiting(organizationId, after);
        const waiting = runs.filter((run) => run.workflowId === workflowId);
        await forEachBounded(waiting, async ({ id }) => {
          const change = {
            status: "cancelled",
            error: [reason],
            endedAt: isoTimestamp(deps.clock.now()),
          } as const;
          // Without an assignment id this cannot end a run that has begun meanwhile.
          await deps.runs.update(organizationId, id, change);
        });
        if (position === null) return true;
        if (deps.clock.now() >= untilMs) return false;
        after = position;
      }
    },
  };
}
