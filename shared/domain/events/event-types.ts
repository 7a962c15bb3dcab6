/** Customers' rules refer to them: never rename one. */
export const runEventTypes = [
  "run.created",
  "run.retried",
  "run.running",
  "run.success",
  "run.error",
  "run.task_failed",
  "run.cancelled",
  "run.deleted",
] as const;

export type RunEventType = (typeof runEventTypes)[number];

/** Busy and idle follow from the runs: `run.running` and the events of a run's end name the machine. */
export const machineEventTypes = [
  "machine.created",
  "machine.connected",
  "machine.disconnected",
  "machine.error",
  "machine.available",
  "machine.unavailable",
  "machine.deleted",
] as const;

export type MachineEventType = (typeof machineEventTypes)[number];

/** Somebody was connected as a machine, and somebody else is now. */
export const supersededEventType = "machine.superseded";

export type EventType = RunEventType | MachineEventType | typeof supersededEventType;
