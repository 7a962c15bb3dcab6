import {
  type ActiveRunStatus,
  type RunStatus,
  runStatuses,
  type TerminalRunStatus,
  terminalRunStatuses,
} from "../../vocabulary/runs.ts";

/** Only a retry leaves a terminal state, and it starts over. */
const transitions: Readonly<Record<ActiveRunStatus, readonly RunStatus[]>> = {
  scheduling: ["running", "cancelled", "error"],
  running: terminalRunStatuses,
};

export function nextStatuses(from: RunStatus): readonly RunStatus[] {
  return isTerminal(from) ? [] : transitions[from];
}

/** Only an assignment sets `running`. */
export function requestableStatuses(from: RunStatus): readonly RunStatus[] {
  return nextStatuses(from).filter((status) => status !== "running");
}

export function statusesBefore(to: RunStatus): readonly RunStatus[] {
  return runStatuses.filter((from) => nextStatuses(from).includes(to));
}

export function isTerminal(status: RunStatus): status is TerminalRunStatus {
  return terminalRunStatuses.some((terminal) => terminal === status);
}
