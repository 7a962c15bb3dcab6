import { serveMachine } from "../../matching/serve-machine.ts";
import { hindranceOf } from "../../run/waiting/waiting-reason.ts";
import { minuteOf } from "../sweep-pace.ts";
import type { LiveMachine } from "./match-sweep-store.ts";
import { moveCursor } from "./move-cursor.ts";
import type { RepairMatchingDeps } from "./repair-waiting-runs.ts";
import { serveAgain } from "./serve-again.ts";

/** A pass reads three items for each connected machine, at half the price, so one begins every ten minutes. */
const minutesBetweenPasses = 10;

/** Serves a free machine without a row, and removes the row of one that is not free. Returns their number. */
export async function repairIdleMachines(deps: RepairMatchingDeps): Promise<number> {
  const cursor = await deps.sweepCursors.find("live_machines");
  const isTurn = minuteOf(deps.clock.now(), minutesBetweenPasses) === 0;
  if (!isTurn && (cursor?.position ?? null) === null) return 0;
  const page = await deps.matchSweep.liveMachines(cursor?.position ?? null);
  await moveCursor(deps, "live_machines", cursor, page.position);
  const wrong = await deps.matchSweep.readAgain(page.items.filter((live) => !isRight(live)));
  let repaired = 0;
  await serveAgain(deps, wrong, async (round, live) => {
    if (isRight(live)) return;
    const { machine } = live;
    const { organizationId, id: machineId } = machine;
    if (isFreeForSession({ machine })) {
      // Serving assigns a run of the session, or releases the machine from an ended one.
      if ((await serveMachine(deps, round, { organizationId, machineId })).kind === "assigned") repaired += 1;
      return;
    }
    if (!isFreeForAll({ machine })) {
      if (await deps.matches.unmarkIdle(machine)) repaired += 1;
      return;
    }
    const served = await serveMachine(deps, round, { organizationId, machineId });
    if (served.kind !== "unfit") repaired += 1;
  });
  return repaired;
}

function isRight({ machine, idle }: LiveMachine): boolean {
  if (isFreeForSession({ machine })) return false;
  const fits = isFreeForAll({ machine });
  return idle === undefined ? !fits : fits && machine.poolIds.every((id) => idle.poolIds.includes(id));
}

/** The event of the session's end may have been lost. */
function isFreeForSession({ machine }: Pick<LiveMachine, "machine">): boolean {
  return hindranceOf(machine) === undefined && machine.reservedSessionId !== null;
}

function isFreeForAll({ machine }: Pick<LiveMachine, "machine">): boolean {
  return hindranceOf(machine) === undefined && machine.reservedSessionId === null;
}
