import { hindranceOf } from "../../matching/eligibility.ts";
import { serveMachine } from "../../matching/serve-machine.ts";
import type { LiveMachine } from "./match-sweep-store.ts";
import { moveCursor } from "./move-cursor.ts";
import type { RepairMatchingDeps } from "./repair-waiting-runs.ts";
import { serveAgain } from "./serve-again.ts";

/**
 * Looks at a page of the machines that have a connection. One that could take a run and is not noted as idle is served,
 * which notes it or gives it a run; one that is noted and could not is noted no more.
 *
 * @returns how many notes were wrong.
 */
export async function repairIdleMachines(deps: RepairMatchingDeps): Promise<number> {
  const cursor = await deps.sweepCursors.find("live_machines");
  const page = await deps.matchSweep.liveMachines(cursor?.position ?? null);
  await moveCursor(deps, "live_machines", cursor, page.position);
  let repaired = 0;
  await serveAgain(deps, page.items, async (round, { machine, idle }) => {
    const { organizationId, id: machineId } = machine;
    if (isFreeForSession({ machine })) {
      // That gives it a run of the session, or releases it from one that has ended.
      if ((await serveMachine(deps, round, { organizationId, machineId })).kind === "assigned") repaired += 1;
      return;
    }
    const fits = isFree({ machine });
    if (fits === (idle !== undefined)) return;
    if (!fits) {
      await deps.matches.unmarkIdle(organizationId, machineId, machine.revision);
      repaired += 1;
      return;
    }
    const served = await serveMachine(deps, round, { organizationId, machineId });
    if (served.kind !== "unfit") repaired += 1;
  });
  return repaired;
}

/** The end of the session may have gone unheard. */
function isFreeForSession({ machine }: Pick<LiveMachine, "machine">): boolean {
  return hindranceOf(machine) === undefined && machine.reservedSessionId !== null;
}

/** Free for everybody. */
function isFree({ machine }: Pick<LiveMachine, "machine">): boolean {
  return hindranceOf(machine) === undefined && machine.reservedSessionId === null;
}
