import { dayMs } from "../../vocabulary/time.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { RunStore } from "../run/run-store.ts";

export interface ExpireRunsDeps {
  readonly runs: Pick<RunStore, "listEndedBefore" | "expire">;
  /** The number of days after a run's end; 0 keeps runs for ever. */
  readonly runDays: number;
  readonly clock: Pick<Clock, "now">;
}

const expiredRunsPerRun = 500;
/** Hides expired runs, whose belongings the projector removes, as after a DELETE. */
export async function expireRuns({ runs, runDays, clock }: ExpireRunsDeps): Promise<number> {
  if (runDays === 0) return 0;
  const now = clock.now();
  const ended = await runs.listEndedBefore(now - runDays * dayMs, expiredRunsPerRun);
  return await forEachBounded(ended, async (run) => {
    await runs.expire(run, isoTimestamp(now));
  });
}
