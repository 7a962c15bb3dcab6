import { type Clock, isoTimestamp } from "../../clock.ts";
import type { Session } from "../../run/run.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import type { MatchSweepStore } from "./match-sweep-store.ts";

const sessionsPerRun = 200;

/** One that is in use although nothing has ended or begun in it for long is looked at again after that time. */
const againMs = 10 * 60_000;

export interface EndIdleSessionsDeps {
  readonly sessions: Pick<SessionStore, "listOpenDue" | "end" | "removePlace">;
  readonly matchSweep: Pick<MatchSweepStore, "isInUse" | "postpone">;
  readonly clock: Pick<Clock, "now">;
  /** How long a session may be without use. */
  readonly sessionIdleMs: number;
}

/**
 * Ends sessions that nobody has used for long: nothing waits in them, nothing runs. Their machines are free then, by the
 * matcher.
 *
 * @returns how many.
 */
export async function endIdleSessions(deps: EndIdleSessionsDeps): Promise<number> {
  const { sessions, matchSweep, clock, sessionIdleMs } = deps;
  const now = clock.now();
  const isIdle = ({ usedAt }: Session) => Date.parse(usedAt) <= now - sessionIdleMs;
  let ended = 0;
  await forEachBounded((await sessions.listOpenDue(sessionsPerRun)).filter(isIdle), async (session) => {
    if (await matchSweep.isInUse(session)) {
      await matchSweep.postpone(session, now + againMs);
      return;
    }
    // Only if it is not used meanwhile: a run that joins it writes that.
    const after = await sessions.end(session.organizationId, session.id, isoTimestamp(now), session.usedAt);
    if (after?.status !== "ended") return;
    ended += 1;
    if (session.status === "pending") await sessions.removePlace(session);
  });
  return ended;
}
