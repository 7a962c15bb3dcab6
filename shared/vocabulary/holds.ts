/** A model holds a run by asking for a person: nobody drives the desktop until the first person holds the run. */
export const holderKinds = ["key", "user", "model"] as const;
export type HolderKind = (typeof holderKinds)[number];

/** The bounds are in seconds. */
export const holdSeconds = { min: 30, max: 3_600, default: 600 } as const;

export const holdReasonMax = 500;

export const holdNoteMax = 2_000;

/** A person may be away from the desk, and a run that stands still costs nothing. */
export const askedSeconds = holdSeconds.max;

export const questionMax = 2_000;
