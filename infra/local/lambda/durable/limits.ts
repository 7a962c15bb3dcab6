/**
 * Limits of one execution, from its start to its end; they cannot be raised.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
 */
export const operationsMax = 3_000;
export const writtenBytesMax = 100 * 1024 * 1024;

/**
 * The largest result. Newer pages of the API say 1 MB; the SDK keeps to this.
 *
 * Source: https://github.com/aws/aws-durable-execution-sdk-python/issues/342
 */
export const payloadBytesMax = 262_144;

/** The largest error. Source: `validateCheckpointUpdates` of `@aws/durable-execution-sdk-js-testing`. */
export const errorBytesMax = 32_768;

/** Time for which a ClientToken identifies a repeated request. Source: the API's CheckpointDurableExecution. */
export const clientTokenMs = 15 * 60_000;

/** Operations on one page of state. Source: the API's GetDurableExecutionState. */
export const stateItemsMax = 1_000;

/** The largest page of state; an event that carries the first page stays below Lambda's payload limit. */
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
