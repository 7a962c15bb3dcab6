/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html */
export const operationsMax = 3_000;
export const writtenBytesMax = 100 * 1024 * 1024;

/**
 * Newer pages of the API say 1 MB, but the SDK uses this limit.
 *
 * Source: https://github.com/aws/aws-durable-execution-sdk-python/issues/342
 */
export const payloadBytesMax = 262_144;

/** Source: `validateCheckpointUpdates` of `@aws/durable-execution-sdk-js-testing`. */
export const errorBytesMax = 32_768;

/** Source: the API's CheckpointDurableExecution. */
export const clientTokenMs = 15 * 60_000;

/** Source: the API's GetDurableExecutionState. */
export const stateItemsMax = 1_000;

/** The event with the first page of state must stay below Lambda's payload limit. */
export const stateBytesMax = 4 * 1024 * 1024;

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html */
export const syncExecutionSecondsMax = 900;

/** AWS documents neither limit; executions were observed to end after these few minutes. */
export const failuresMax = 9;
export const firstRetryPauseMs = 1_000;
