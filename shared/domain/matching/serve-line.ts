import type { OrganizationId } from "../organization-id.ts";
import type { MatchDeps } from "./match-deps.ts";
import { IdleRowsLeft, MatchRound, OutOfTime, ShareUsedUp } from "./match-round.ts";
import { anyIdle } from "./organization-limit.ts";
import { serveRefused } from "./serve-refused.ts";
import type { InLine, ServicePlaces } from "./service-places.ts";

/**
 * Gives free places to the organizations in the line, in turn. It may be cut off, and may run twice at the same time:
 * the line is in the table, and a turn first moves its organization to the end of it. A turn that fails does not stop
 * those of others, and is not repeated.
 *
 * @throws {OutOfTime} or, at the end, {AggregateError} of the turns that failed
 */
export async function serveLine(deps: MatchDeps, deadlineMs: number): Promise<void> {
  const { servicePlaces, clock } = deps;
  if (servicePlaces === undefined) return;
  const failures = new Map<OrganizationId, unknown>();
  for (;;) {
    new MatchRound({ clock, deadlineMs }).requireTime();
    const line = await servicePlaces.line();
    if (line.length === 0) {
      // The next read finds an organization that joined before the places were released.
      if (await servicePlaces.release()) continue;
      break;
    }
    const left = line.filter(({ organizationId }) => !failures.has(organizationId));
    const free = left.length === 0 ? 0 : await servicePlaces.keep();
    if (free === 0) break;
    const turnPlaces = Math.max(1, Math.floor(free / left.length));
    for (const waiting of left.slice(0, free)) {
      try {
        const turn = await servicePlaces.beginTurn(waiting);
        if (turn) await serveTurn(deps, servicePlaces, turn, { deadlineMs, turnPlaces });
      } catch (cause) {
        if (cause instanceof OutOfTime) throw cause;
        const { organizationId } = waiting;
        failures.set(organizationId, cause);
        deps.logger.warn("a turn in the line failed", { organization_id: organizationId, cause });
      }
    }
  }
  if (failures.size > 0) throw new AggregateError(failures.values(), "turns in the line failed");
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
    // The work that used the share up is done, and the next turn continues.
    if (cause instanceof ShareUsedUp) return;
    if (!(cause instanceof IdleRowsLeft)) throw cause;
    await servicePlaces.endTurn(turn, { refused: [anyIdle], idleAfter: cause.after });
  }
}
