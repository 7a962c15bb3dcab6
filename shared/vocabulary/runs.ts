export const activeRunStatuses = ["scheduling", "running"] as const;
/** Only a retry leaves these statuses. */
export const terminalRunStatuses = ["success", "error", "task_failed", "cancelled"] as const;
export const runStatuses = [...activeRunStatuses, ...terminalRunStatuses] as const;

export type ActiveRunStatus = (typeof activeRunStatuses)[number];
export type TerminalRunStatus = (typeof terminalRunStatuses)[number];
export type RunStatus = (typeof runStatuses)[number];

export const waitingReasons = [
  "no_machine_matches",
  "all_disconnected",
  "all_busy",
  "reserved",
  "out_of_service",
  "session_busy",
  "organization_limit",
  "service_limit",
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** The active runs are those that are scheduling or running. */
export const runSortModes = ["newest", "active_first"] as const;
export type RunSortMode = (typeof runSortModes)[number];

/** Other names of the orders, which programs written for other services use. */
export const otherSortModes = {
  created_at_desc: "newest",
  activity: "active_first",
} as const satisfies Readonly<Record<string, RunSortMode>>;

export const queuePositionMax = 1_000;

export const sessionStatuses = ["pending", "active", "ended"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
