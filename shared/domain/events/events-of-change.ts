import type { MachineEventType, RunEventType, ScheduleEventType } from "../../vocabulary/events.ts";
import type { MachineState, RunState, ScheduleState } from "./service-event.ts";

/** Returns the events in order, or none when the run's state is unchanged. */
export function runEventTypesOf(before: RunState | undefined, after: RunState): readonly RunEventType[] {
  if (before === undefined) return ["run.created"];
  // The machine was hidden already, so further changes are internal.
  if (before.deletedAt !== null) return [];
  return [
    ...(before.status === after.status ? [] : [statusEvent(after)]),
    // One who takes a hold over, or extends it, makes no other.
    ...(before.held === null && after.held !== null ? (["run.held"] as const) : []),
    ...(after.deletedAt === null ? [] : (["run.deleted"] as const)),
  ];
}

/** Only a retry leads back to `scheduling`, by a user or on another machine. */
function statusEvent({ status }: RunState): RunEventType {
  return status === "scheduling" ? "run.retried" : `run.${status}`;
}

export function machineEventTypesOf(
  before: MachineState | undefined,
  after: MachineState,
): readonly MachineEventType[] {
  if (before === undefined) return ["machine.created"];
  if (before.deletedAt !== null) return [];
  return [
    ...(before.status === after.status ? [] : [`machine.${after.status}` as const]),
    ...(before.isAvailable === after.isAvailable
      ? []
      : [after.isAvailable ? ("machine.available" as const) : ("machine.unavailable" as const)]),
    ...(after.deletedAt === null ? [] : (["machine.deleted"] as const)),
  ];
}

export function scheduleEventTypesOf(
  before: ScheduleState | undefined,
  after: ScheduleState,
): readonly ScheduleEventType[] {
  if (after.deletedAt !== null) return [];
  // Each write that leaves times out ends with a later one.
  const isMissed = after.missed !== null && before?.missed?.lastDueAt !== after.missed.lastDueAt;
  const isStopped = after.disabledReason !== null && before?.disabledReason !== after.disabledReason;
  return [
    ...(isMissed ? (["schedule.missed"] as const) : []),
    ...(isStopped ? (["schedule.disabled"] as const) : []),
  ];
}
