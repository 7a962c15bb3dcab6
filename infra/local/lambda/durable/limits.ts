/**
 * Of one execution, from its start to its end; they cannot be raised.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
 */
export const operationsMax = 3_000;
export const writtenBytesMax = 100 * 1024 * 1024;

/**
 * Of a result. Newer pages of the API say 1 MB; the SDK keeps to this.
 *
 * Source: https://github.com/aws/aws-durable-execution-sdk-python/issues/342
 */
export const payloadBytesMax = 262_144;

/** Of an error. Source: `validateCheckpointUpdates` of `@aws/durable-execution-sdk-js-testing`. */
export const errorBytesMax = 32_768;

/** How long a repeated request is known by its ClientToken. Source: the API's CheckpointDurableExecution. */
export const clientTokenMs = 15 * 60_000;

/** Operations of a page of state. Source: the API's GetDurableExecutionState. */
export const stateItemsMax = 1_000;

/** Of a page of state, so that the event that has the first one stays below what Lambda takes. */
export const stateBytesMax = 4 * 1024 * 1024;

/**
 * The longest ExecutionTimeout of a function that is invoked synchronously.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
 */
export const syncExecutionSecondsMax = 900;

/**
 * Invocations in a row that may end in an error, and the pause after the first of them, which doubles with each. AWS
 * documents neither, but that it goes on until ExecutionTimeout; what was seen there is an end after these few minutes.
 *
 * Sources: https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html,
 * https://github.com/jogold/cloudstructs/issues/362
 */
export const failuresMax = 9;
export const firstRetryPauseMs = 1_000;
