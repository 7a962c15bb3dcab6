import type { MachineEventType, RunEventType } from "./event-types.ts";
import type { MachineState, RunState } from "./service-event.ts";

/**
 * What one write of a run means to who listens, in order; nothing when its state is the same as before.
 *
 * @param before undefined when the write made it.
 */
export function runEventTypesOf(before: RunState | undefined, after: RunState): readonly RunEventType[] {
  if (before === undefined) return ["run.created"];
  // Hidden already: what is still done to it concerns nobody.
  if (before.deletedAt !== null) return [];
  return [
    ...(before.status === after.status ? [] : [statusEvent(after)]),
    ...(after.deletedAt === null ? [] : (["run.deleted"] as const)),
  ];
}

/** Only a retry leads back to `scheduling`. */
function statusEvent({ status }: RunState): RunEventType {
  return status === "scheduling" ? "run.retried" : `run.${status}`;
}

/**
 * What one write of a machine means to who listens, in order; nothing when its state is the same as before.
 *
 * @param before undefined when the write made it.
 */
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
