import type { MatchDeps } from "../../matching/match-deps.ts";
import { MatchRound, OutOfTime } from "../../matching/match-round.ts";
import { forEachBounded } from "../bounded-parallel.ts";

/** Serving ends by then, since the sweeper's other work has to be done in the same minute. */
export const servingMs = 40_000;

/**
 * Serves each, as a matcher would that had heard of it. What there is no time for comes with a later run.
 *
 * @throws {AggregateError} of what failed, after the last.
 */
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
