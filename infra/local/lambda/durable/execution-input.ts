import type { ErrorObject } from "./wire.ts";

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "STOPPED";

export interface DurableExecutionInput {
  readonly id: string;
  readonly name: string;
  readonly functionAddress: string;
  readonly functionArn: string;
  readonly payload: string;
  readonly isAsync: boolean;
  readonly timeoutSeconds: number;
  readonly startedAtMs: number;
}

export interface Ending {
  readonly status: Exclude<ExecutionStatus, "RUNNING">;
  readonly atMs: number;
  readonly result?: string;
  readonly error?: ErrorObject;
}
