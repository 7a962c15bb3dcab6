/** Who decides an element's action. */
export const elementDeciders = ["replay", "model"] as const;
export type ElementDecider = (typeof elementDeciders)[number];

/** As long as an element's screen may be waited for, in milliseconds. */
export const elementTimeoutMsMax = 60_000;

/** Largest file that an element writes, in bytes. */
export const writtenBytesMax = 65_536;

/** Largest trajectory_data, in bytes of JSON: inside the limits of one request and one response. */
export const trajectoryBytesMax = 4_194_304;
