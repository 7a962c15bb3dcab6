export const executors = ["service", "worker"] as const;
export type Executor = (typeof executors)[number];

/** A run goes by the main approved trajectory first, only by it, or never. */
export const replays = ["auto", "only", "never"] as const;
export type Replay = (typeof replays)[number];

/** How a run leaves its desktop: with `reset` as its trajectory began, as far as the trajectory knows how. */
export const leaves = ["as_is", "reset"] as const;
export type Leave = (typeof leaves)[number];
