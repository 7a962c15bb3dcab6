/** A recording is made, and then a trajectory, or it is given up by its maker or by the clock. */
export const recordingStatuses = ["recording", "finished", "discarded", "expired"] as const;
export type RecordingStatus = (typeof recordingStatuses)[number];

/** The bounds are in seconds. */
export const recordingSeconds = { min: 60, max: 3_600, default: 1_800 } as const;

/** An expired recording can be finished for this long, so that nothing of a person's work is lost. */
export const expiredRecordingHours = 24;

/** A trajectory has no more original input values than this, in bytes. */
export const recordedInputsBytesMax = 65_536;

/** The name of an input in the texts of a trajectory. */
export const inputNameCharactersMax = 64;
