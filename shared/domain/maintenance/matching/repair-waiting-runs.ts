import type { MatchDeps } from "../../matching/match-deps.ts";
import { serveTarget } from "../../matching/serve-target.ts";
import { targetText } from "../../run/waiting/target.ts";
import { projectorGraceMs } from "../finish-due-deletions.ts";
import type { SweepCursorStore } from "../sweep-cursor-store.ts";
import type { MatchSweepStore } from "./match-sweep-store.ts";
import { moveCursor } from "./move-cursor.ts";
import { serveAgain } from "./serve-again.ts";

export interface RepairMatchingDeps extends MatchDeps {
  readonly matchSweep: Pick<MatchSweepStore, "waitingRuns" | "restorePlaces" | "liveMachines" | "readAgain">;
  readonly sweepCursors: SweepCursorStore;
}

/** A slow matcher may still be working for this long. */
const matcherGraceMs = projectorGraceMs;

/** Serves runs again that a lost event has left waiting. Serving a queue removes its stale places. */
export async function repairWaitingRuns(deps: RepairMatchingDeps): Promise<number> {
  const cursor = await deps.sweepCursors.find("waiting_runs");
  const untilMs = deps.clock.now() - matcherGraceMs;
  const page = await deps.matchSweep.waitingRuns(cursor?.position ?? null, untilMs);
  const restored = await deps.matchSweep.restorePlaces(page.items);
  // The cursor moves before serving, which may use up the time.
  await moveCursor(deps, "waiting_runs", cursor, page.position);
  const byTarget = Map.groupBy(page.items, (entry) => `${entry.organizationId} ${targetText(entry.target)}`);
  const round = await serveAgain(deps, [...byTarget.values()], async (each, entries) => {
    const [first] = entries;
    if (first !== undefined) await serveTarget(deps, each, first.organizationId, first.target, entries);
  });
  return restored + page.items.filter((entry) => round.isPlaced(entry)).length;
}
