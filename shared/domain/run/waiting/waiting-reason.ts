import type { Machine } from "../../machine/machine.ts";
import { hindranceOf } from "../../matching/eligibility.ts";

/** Why a run waits. What each says of the machines that fit, README and the contract tell. */
export type WaitingReason =
  | "no_machine_matches"
  | "all_disconnected"
  | "out_of_service"
  | "reserved"
  | "all_busy"
  | "session_busy";

/** What keeps one machine from a run; undefined when nothing does. */
export type MachineHindrance = Exclude<WaitingReason, "no_machine_matches" | "session_busy">;

/** From the farthest from taking a run to the nearest. */
const ranks: readonly MachineHindrance[] = ["all_disconnected", "out_of_service", "reserved", "all_busy"];

/**
 * @param sessionId the run's own session, whose reservation keeps nothing from it.
 */
export function machineHindrance(machine: Machine, sessionId: string | null): MachineHindrance | undefined {
  switch (hindranceOf(machine)) {
    case "deleted":
    case "disconnected":
      return "all_disconnected";
    case "out_of_service":
    case "unavailable":
      return "out_of_service";
    case "clearing":
      return "reserved";
    case "busy":
    case undefined:
      break;
  }
  if (machine.reservedSessionId !== null && machine.reservedSessionId !== sessionId) return "reserved";
  return machine.currentRunId === null ? undefined : "all_busy";
}

/** Of several machines, what keeps the nearest one from the run; undefined when one is free. */
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
