import type { MatchDeps } from "../../matching/match-deps.ts";
import { serveTarget } from "../../matching/serve-target.ts";
import type { WaitingRunEntry } from "../../run/waiting/queue-entry.ts";
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

/** Until then a slow matcher may still be working. */
const matcherGraceMs = projectorGraceMs;

/**
 * Repairs one page of the runs that have waited longer than matchers take: restores missing places in queues and serves
 * their targets again, so that a lost event blocks nobody. Stale places are removed when their queue is served.
 *
 * @returns places restored plus runs assigned.
 */
export async function repairWaitingRuns(deps: RepairMatchingDeps): Promise<number> {
  const cursor = await deps.sweepCursors.find("waiting_runs");
  const untilMs = deps.clock.now() - matcherGraceMs;
  const page = await deps.matchSweep.waitingRuns(cursor?.position ?? null, untilMs);
  const restored = await deps.matchSweep.restorePlaces(page.items);
  // Before serving, which may use up the time.
  await moveCursor(deps, "waiting_runs", cursor, page.position);
  const round = await serveAgain(deps, byTarget(page.items), async (each, entries) => {
    const [{ organizationId, target }] = entries;
    await serveTarget(deps, each, organizationId, target, entries);
  });
  return restored + page.items.filter((entry) => round.isPlaced(entry)).length;
}

type Together = readonly [WaitingRunEntry, ...WaitingRunEntry[]];

function byTarget(entries: readonly WaitingRunEntry[]): readonly Together[] {
  const groups = new Map<string, [WaitingRunEntry, ...WaitingRunEntry[]]>();
  for (const entry of entries) {
    const key = `${entry.organizationId} ${targetText(entry.target)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}
