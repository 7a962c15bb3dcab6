import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";

export interface RunEnding {
  readonly status: "success" | "error" | "task_failed";
  readonly errorCode: RunErrorCode | null;
  readonly error: string | null;
}

export const success: RunEnding = { status: "success", errorCode: null, error: null };

export type Failure = RunEnding & {
  readonly status: "error";
  readonly errorCode: RunErrorCode;
  readonly error: string;
};

/** The error becomes part of a durable result, and a desktop's words may be long. */
const errorCharactersMax = 1_000;

export function failure(errorCode: RunErrorCode, error: string): Failure {
  return { status: "error", errorCode, error: truncated(error) };
}

export function taskFailed(reason: string): RunEnding {
  return { status: "task_failed", errorCode: "task_failed", error: truncated(reason) };
}

export function truncated(error: string): string {
  return error.length > errorCharactersMax ? `${error.slice(0, errorCharactersMax)} …` : error;
}
