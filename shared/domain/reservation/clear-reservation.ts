import { isoTimestamp } from "../clock.ts";
import type { Edit } from "../entity/edition.ts";
import { notFound } from "../entity/not-found.ts";
import type { Machine } from "../machine/machine.ts";
import type {
  MachineChange,
  MachineStore,
  UpdateMachineOptions,
  UpdateMachineOutcome,
} from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import { type EndRunDeps, endRun } from "../run/end-run.ts";
import { type EndWaitingDeps, endSession, endWaiting } from "../run/waiting/end-waiting.ts";
import { overtakenBy, untilWritten } from "../until-written.ts";

export interface ClearReservationDeps extends EndWaitingDeps, EndRunDeps {
  readonly machines: Pick<MachineStore, "beginClearing" | "update">;
}

export interface ClearingTarget {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
}

const end = { status: "cancelled", reason: "the reservation of its machine was cleared" } as const;

/**
 * Begins to clear a reservation: the machine takes no more runs, its session ends, and runs that execute or wait there
 * are cancelled. `updateCleared` or `finishClearing` frees the machine once it has no run, which triggers the matcher.
 * Each step can be repeated, by the same request or by the sweeper.
 */
export async function beginClearing(
  deps: ClearReservationDeps,
  target: ClearingTarget,
  edit: Edit = {},
): Promise<string> {
  const { organizationId, machineId } = target;
  const since = isoTimestamp(deps.clock.now());
  const machine = await deps.machines.beginClearing(organizationId, machineId, since, edit);
  if (machine === undefined) throw notFound("machine", machineId);
  await cancelRuns(deps, machine, since);
  return since;
}

/** If another request has done it, only the other changes are written; a clearing begun meanwhile restarts this one. */
export async function updateCleared(
  deps: ClearReservationDeps,
  { organizationId, machineId }: ClearingTarget,
  since: string,
  change: MachineChange,
  options: UpdateMachineOptions,
): Promise<UpdateMachineOutcome> {
  const cleared = { ...change, reservedSessionId: null, isAvailable: true, clearingSince: null };
  return await untilWritten<string | null, UpdateMachineOutcome>(deps, {
    what: "the machine",
    read: async () => since,
    decide: async (clearingSince) => {
      if (clearingSince === null) {
        return await deps.machines.update(organizationId, machineId, change, options);
      }
      const conditions = { ...options, clearingSince };
      const outcome = await deps.machines.update(organizationId, machineId, cleared, conditions);
      if (outcome.kind !== "not_cleared") return outcome;
      const { machine } = outcome;
      if (machine.clearingSince !== null) await cancelRuns(deps, machine, machine.clearingSince);
      return overtakenBy(machine.clearingSince);
    },
  });
}

/** Finishes an interrupted request's clearing. Returns false when the machine is not, or no longer, being cleared. */
export async function finishClearing(
  deps: Omit<ClearReservationDeps, "machines"> & {
    readonly machines: ClearReservationDeps["machines"] & Pick<MachineStore, "find">;
  },
  organizationId: OrganizationId,
  machineId: string,
): Promise<boolean> {
  const machine = await deps.machines.find(organizationId, machineId);
  if (machine === undefined || machine.clearingSince === null) return false;
  await cancelRuns(deps, machine, machine.clearingSince);
  const target = { organizationId, machineId };
  const outcome = await updateCleared(deps, target, machine.clearingSince, {}, {});
  return outcome.kind === "updated";
}

/** Runs queued for the machine since then stay. The current one ends last: its end removes the session's record. */
async function cancelRuns(deps: ClearReservationDeps, machine: Machine, since: string): Promise<void> {
  const { id, organizationId, currentRunId, reservedSessionId } = machine;
  if (reservedSessionId !== null) await endSession(deps, organizationId, reservedSessionId, end);
  const untilMs = Date.parse(since);
  await endWaiting(deps, organizationId, { kind: "machine", machineId: id }, { ...end, untilMs });
  if (currentRunId !== null) await endRun(deps, organizationId, currentRunId, end);
}
