import { forEachBounded } from "../../bounded-parallel.ts";
import type { MatchDeps } from "../../matching/match-deps.ts";
import { MatchRound, OutOfTime } from "../../matching/match-round.ts";

/** Serving stops after this time, because the sweeper's other work must fit the same minute. */
export const servingMs = 40_000;

/** Leaves the rest to a later run. @throws {AggregateError} of all failures, after the last */
export async function serveAgain<T>(
  deps: Pick<MatchDeps, "clock">,
  items: readonly T[],
  serve: (round: MatchRound, item: T) => Promise<void>,
): Promise<MatchRound> {
  const round = new MatchRound({ clock: deps.clock, deadlineMs: deps.clock.now() + servingMs });
  await forEachBounded(items, async (item) => {
    try {
      await serve(round, item);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
    }
  });
  return round;
}
