import type { WaitingReason } from "../../../vocabulary/runs.ts";
import type { Machine } from "../../machine/machine.ts";
import type { ExecutionLimit } from "./waiting-view.ts";

type MachineHindrance = Exclude<WaitingReason, "no_machine_matches" | "session_busy" | ExecutionLimit>;

/** The order is from farthest to nearest to taking a run. */
const ranks: readonly MachineHindrance[] = ["all_disconnected", "out_of_service", "reserved", "all_busy"];

/** @param sessionId is the run's own session, whose reservation is no hindrance. */
function machineHindrance(machine: Machine, sessionId: string | null): MachineHindrance | undefined {
  switch (hindranceOf(machine)) {
    case "deleted":
    case "disconnected":
      return "all_disconnected";
    case "out_of_service":
    case "unavailable":
      return "out_of_service";
    case "clearing":
      return "reserved";
    case "held":
      return "all_busy";
    case "busy":
    case undefined:
      break;
  }
  if (machine.reservedSessionId !== null && machine.reservedSessionId !== sessionId) return "reserved";
  return machine.currentRunId === null ? undefined : "all_busy";
}

export function reasonAmong(
  machines: readonly Machine[],
  sessionId: string | null,
): WaitingReason | undefined {
  let nearest = -1;
  for (const machine of machines) {
    const hindrance = machineHindrance(machine, sessionId);
    if (hindrance === undefined) return undefined;
    nearest = Math.max(nearest, ranks.indexOf(hindrance));
  }
  return ranks[nearest] ?? "no_machine_matches";
}

export type Hindrance =
  | "deleted"
  | "disconnected"
  | "out_of_service"
  | "unavailable"
  | "busy"
  | "held"
  | "clearing";

/** Returns undefined when the machine could take a run. Reservations are checked separately. */
export function hindranceOf(
  machine: Pick<
    Machine,
    "deletedAt" | "connection" | "outOfService" | "isAvailable" | "currentRunId" | "held" | "clearingSince"
  >,
): Hindrance | undefined {
  if (machine.deletedAt !== null) return "deleted";
  if (machine.outOfService) return "out_of_service";
  if (machine.connection === null) return "disconnected";
  if (!machine.isAvailable) return "unavailable";
  if (machine.clearingSince !== null) return "clearing";
  if (machine.currentRunId !== null) return "busy";
  // An expired hold hinders, too, until the sweeper has ended its recording.
  if (machine.held !== null) return "held";
  return undefined;
}

export function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id));
}
