import type { MatchDeps } from "./match-deps.ts";
import { IdleRowsLeft, MatchRound, ShareUsedUp } from "./match-round.ts";
import { anyIdle } from "./organization-limit.ts";
import { serveRefused } from "./serve-refused.ts";
import type { InLine, ServicePlaces } from "./service-places.ts";

/**
 * Gives free places to the organizations in the line, in turn. It may be cut off, and may run twice at the same time:
 * the line is in the table, and a turn first moves its organization to the end of it.
 *
 * @throws {OutOfTime}
 */
export async function serveLine(deps: MatchDeps, deadlineMs: number): Promise<void> {
  const { servicePlaces, clock } = deps;
  if (servicePlaces === undefined) return;
  for (;;) {
    new MatchRound({ clock, deadlineMs }).requireTime();
    const line = await servicePlaces.line();
    if (line.length === 0) {
      // Who joined before the places were released is found by the next read.
      if (await servicePlaces.release()) continue;
      return;
    }
    const free = await servicePlaces.keep();
    if (free === 0) return;
    const turnPlaces = Math.max(1, Math.floor(free / line.length));
    for (const waiting of line.slice(0, free)) {
      const turn = await servicePlaces.beginTurn(waiting);
      if (turn) await serveTurn(deps, servicePlaces, turn, { deadlineMs, turnPlaces });
    }
  }
}

/** An organization that has no use for its turn leaves the line, so that each turn brings the end of this nearer. */
async function serveTurn(
  deps: MatchDeps,
  servicePlaces: ServicePlaces,
  turn: InLine,
  within: { readonly deadlineMs: number; readonly turnPlaces: number },
): Promise<void> {
  const round = new MatchRound({ clock: deps.clock, share: deps.share, ...within });
  const { organizationId, refused, idleAfter } = turn;
  try {
    const left = await serveRefused(deps, round, organizationId, refused, idleAfter ?? undefined);
    await servicePlaces.endTurn(turn, { refused: round.hasUsedPlace ? left : [], idleAfter: null });
  } catch (cause) {
    // What the share was used up for is done, and the next turn continues.
    if (cause instanceof ShareUsedUp) return;
    if (!(cause instanceof IdleRowsLeft)) throw cause;
    await servicePlaces.endTurn(turn, { refused: [anyIdle], idleAfter: cause.after });
  }
}
