import { forEachBounded } from "../../bounded-parallel.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { Session, SessionStore } from "../../session/session.ts";
import type { MatchSweepStore } from "./match-sweep-store.ts";

const sessionsPerRun = 200;

/** A session in use, although no run has started or ended in it for long, is checked again after this time. */
const againMs = 10 * 60_000;

export interface EndIdleSessionsDeps {
  readonly sessions: Pick<SessionStore, "listOpenDue" | "end" | "removePlace">;
  readonly matchSweep: Pick<MatchSweepStore, "isInUse" | "postpone">;
  readonly clock: Pick<Clock, "now">;
  readonly sessionIdleMs: number;
}

/** Ends sessions in which no run has waited or run for long; the matcher then frees their machines. */
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
    // The write requires that the session is still unused: a run that joins it updates `usedAt`.
    const after = await sessions.end(session.organizationId, session.id, isoTimestamp(now), session.usedAt);
    if (after?.status !== "ended") return;
    ended += 1;
    if (session.status === "pending") await sessions.removePlace(session);
  });
  return ended;
}
