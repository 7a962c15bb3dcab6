import {
  type ActiveRunStatus,
  type RunStatus,
  runStatuses,
  type TerminalRunStatus,
  terminalRunStatuses,
} from "../../vocabulary/runs.ts";

/** All legal transitions. A terminal state is left only by a retry, which starts over. */
const transitions: Readonly<Record<ActiveRunStatus, readonly RunStatus[]>> = {
  scheduling: ["running", "cancelled", "error"],
  running: terminalRunStatuses,
};

export function nextStatuses(from: RunStatus): readonly RunStatus[] {
  return isTerminal(from) ? [] : transitions[from];
}

/** The statuses that a request may set: `running` is set only by an assignment. */
export function requestableStatuses(from: RunStatus): readonly RunStatus[] {
  return nextStatuses(from).filter((status) => status !== "running");
}

/** The states that lead to that one, for a write's condition. */
export function sourcesOf(to: RunStatus): readonly RunStatus[] {
  return runStatuses.filter((from) => nextStatuses(from).includes(to));
}

export function isTerminal(status: RunStatus): status is TerminalRunStatus {
  return terminalRunStatuses.some((terminal) => terminal === status);
}
