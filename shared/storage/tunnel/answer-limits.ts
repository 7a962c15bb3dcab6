/** Nobody waits longer than 30 s for a response; a later one is stored too, and soon expires. */
export const answerKeptSeconds = 600;

/** An answer that its call's record does not take within this time goes to the caller's mailbox. */
export const arrivalMs = 1_000;

/** A caller waits for each look, and the next one is milliseconds away. */
export const answerAttemptMs = 300;
