export const executors = ["service", "worker"] as const;
export type Executor = (typeof executors)[number];

/** A run uses the main approved trajectory first, only that, or never. */
export const replays = ["auto", "only", "never"] as const;
export type Replay = (typeof replays)[number];

/** With `reset` a run leaves its desktop as its trajectory began, as far as the trajectory can. */
export const leaves = ["as_is", "reset"] as const;
export type Leave = (typeof leaves)[number];

/** What becomes of a held run that nobody resumes in time. */
export const onHoldTimeouts = ["fail", "resume"] as const;
export type OnHoldTimeout = (typeof onHoldTimeouts)[number];
