export const elementDeciders = ["replay", "model"] as const;
export type ElementDecider = (typeof elementDeciders)[number];

export const elementTimeoutMsMax = 60_000;

export const writtenBytesMax = 65_536;

/** The size fits the limits of one request and one response. */
export const trajectoryBytesMax = 4_194_304;
