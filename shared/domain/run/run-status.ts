/** Every state of a run. */
export const runStatuses = ["scheduling", "running", "success", "error", "task_failed", "cancelled"] as const;

export type RunStatus = (typeof runStatuses)[number];

/** All legal transitions. A terminal state is left only by a retry, which starts over. */
const transitions = {
  scheduling: ["running", "cancelled", "error"],
  running: ["success", "error", "task_failed", "cancelled"],
  success: [],
  error: [],
  task_failed: [],
  cancelled: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

export function nextStatuses(from: RunStatus): readonly RunStatus[] {
  return transitions[from];
}

/** The statuses that a request may set: `running` is set only by an assignment. */
export function requestableStatuses(from: RunStatus): readonly RunStatus[] {
  return nextStatuses(from).filter((status) => status !== "running");
}

/** The states that lead to that one, for a write's condition. */
export function sourcesOf(to: RunStatus): readonly RunStatus[] {
  return runStatuses.filter((from) => nextStatuses(from).includes(to));
}

export function isTerminal(status: RunStatus): boolean {
  return nextStatuses(status).length === 0;
}

export const terminalStatuses: readonly RunStatus[] = runStatuses.filter(isTerminal);
