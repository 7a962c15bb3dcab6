import type { RunErrorCode } from "../run/run-error.ts";
import type { Cursor, RunEnding } from "./execution.ts";

/** What a durable step has recorded: small, and all that decides what comes next. */
export type StepResult =
  /** Goes on there, after a while, in another invocation where this one's time is nearly over. */
  | {
      readonly kind: "next";
      readonly cursor: Cursor;
      readonly waitSeconds: number;
      readonly yields: boolean;
    }
  /** The run is to be ended so. */
  | { readonly kind: "end"; readonly end: RunEnding; readonly cursor: Cursor }
  /** It has ended, by whomever. */
  | { readonly kind: "ended" };

export function failure(errorCode: RunErrorCode, error: string): RunEnding {
  return { status: "error", errorCode, error };
}

/** Where the next step begins. */
export function advanced(cursor: Cursor, by: { readonly element: number; readonly piece?: number }): Cursor {
  return {
    ...cursor,
    index: cursor.index + 1,
    element: by.element,
    piece: by.piece ?? 0,
    replayed: cursor.replayed + (by.element > cursor.element ? 1 : 0),
    waitedMs: 0,
    awayMs: 0,
    failures: 0,
  };
}
