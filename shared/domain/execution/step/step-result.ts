import type { RunErrorCode } from "../../../vocabulary/run-error-codes.ts";
import type { StepNext } from "../../run-step/run-step.ts";
import type { Cursor, RunEnding } from "../execution.ts";

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
  /** It has ended already. */
  | { readonly kind: "ended" };

export type Failure = RunEnding & {
  readonly status: "error";
  readonly errorCode: RunErrorCode;
  readonly error: string;
};

/** It becomes part of a durable step's result: what a desktop says may be long. */
const errorCharactersMax = 1_000;

export function failure(errorCode: RunErrorCode, error: string): Failure {
  return { status: "error", errorCode, error: truncated(error) };
}

export function truncated(error: string): string {
  return error.length > errorCharactersMax ? `${error.slice(0, errorCharactersMax)} …` : error;
}

/** What follows a replayed step that was done, or may be done again. */
export type NextOfReplay = Extract<StepNext, { readonly kind: "again" | "piece" }>;

/** Where a step leads that does not end the run. */
export function placeAfter(cursor: Cursor, next: NextOfReplay | undefined): Cursor {
  const { element, piece, reset } = cursor;
  if (typeof reset?.at === "number") {
    const at = next === undefined ? reset.at + 1 : reset.at;
    const after = advanced(cursor, { element, piece: next?.kind === "piece" ? piece + 1 : 0 });
    return { ...after, reset: { at, taken: reset.taken + 1 } };
  }
  if (next === undefined) return advanced(cursor, { element: element + 1 });
  return advanced(cursor, { element, piece: next.kind === "piece" ? piece + 1 : piece });
}

/** Where an optional element leads that was not done: it does not count as replayed. */
export function afterLeftOut(cursor: Cursor): Cursor {
  return { ...placeAfter(cursor, undefined), replayed: cursor.replayed };
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
  };
}
