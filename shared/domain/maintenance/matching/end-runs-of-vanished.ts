import { forEachBounded } from "../../bounded-parallel.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { MatchStore } from "../../matching/match-store.ts";
import type { VanishedMachineStore } from "./vanished-machine-store.ts";

export const vanishedPerPage = 200;

export interface EndRunsOfVanishedDeps {
  readonly vanished: VanishedMachineStore;
  readonly matches: Pick<MatchStore, "unmarkIdle">;
  readonly clock: Pick<Clock, "now">;
  /** A machine may be disconnected for this long without losing its run. */
  readonly vanishedGraceMs: number;
}

/** A worker that comes back later finds its assignment gone. */
export async function endRunsOfVanished(deps: EndRunsOfVanishedDeps, shard?: number): Promise<number> {
  const { vanished, matches, clock, vanishedGraceMs } = deps;
  const now = clock.now();
  const untilMs = now - vanishedGraceMs;
  let ended = 0;
  await forEachBounded(await vanished.listDue(untilMs, vanishedPerPage, shard), async (machine) => {
    const { id, disconnectedAt, currentRunId } = machine;
    const isOver = disconnectedAt !== null && Date.parse(disconnectedAt) <= untilMs;
    if (isOver) {
      const reason = `its machine ${id} has been disconnected since ${disconnectedAt}, longer than ${vanishedGraceMs / 1_000} s`;
      const end = { reason, endedAt: isoTimestamp(now) };
      // A machine with a run has no idle rows.
      if (currentRunId === null) await matches.unmarkIdle(machine);
      else if (await vanished.endRun(machine, end)) ended += 1;
    }
    await vanished.settle(machine, isOver);
  });
  return ended;
}
