import type { ErrorObject } from "./wire.ts";

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "STOPPED";

export interface DurableExecutionInput {
  readonly id: string;
  readonly name: string;
  /** Address of the function in the template. */
  readonly functionAddress: string;
  /** The function's ARN with the version that the execution started with, and keeps. */
  readonly functionArn: string;
  /** JSON. */
  readonly payload: string;
  readonly isAsync: boolean;
  readonly timeoutSeconds: number;
  readonly startedAtMs: number;
}

export interface Ending {
  readonly status: Exclude<ExecutionStatus, "RUNNING">;
  readonly atMs: number;
  /** JSON. */
  readonly result?: string;
  readonly error?: ErrorObject;
}
