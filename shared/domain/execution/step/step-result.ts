import type { RunEnding } from "../../run/run-ending.ts";
import type { StepNext } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";

export type StepResult =
  | { readonly kind: "next"; readonly cursor: Cursor; readonly waitSeconds: number }
  /** The desktop is unreachable, and the step is left for later. @default the cursor where the step began */
  | { readonly kind: "away"; readonly cursor?: Cursor }
  /** The time of this invocation is nearly over, and the step is left for the next one. */
  | { readonly kind: "pauses"; readonly cursor?: Cursor }
  | { readonly kind: "end"; readonly end: RunEnding; readonly cursor: Cursor }
  /** The model has asked a person, and the run goes on from here once it is resumed. */
  | { readonly kind: "asked"; readonly cursor: Cursor }
  /** The run has ended, or has another execution. */
  | { readonly kind: "ended" };

/** A recorded result is small, and alone decides what comes next. */
export type RecordedResult =
  | {
      readonly kind: "next";
      readonly cursor: Cursor;
      readonly waitSeconds: number;
      readonly yields: boolean;
    }
  /** The run is held, for this many seconds at most unless somebody extends it. */
  | { readonly kind: "held"; readonly cursor: Cursor; readonly seconds: number }
  | Extract<StepResult, { readonly kind: "end" | "ended" }>;

export type Next = Extract<StepResult, { readonly kind: "next" }>;
export type End = Extract<StepResult, { readonly kind: "end" }>;

export function next(cursor: Cursor, waitSeconds = 0): Next {
  return { kind: "next", cursor, waitSeconds };
}

export function ends(cursor: Cursor, end: RunEnding): End {
  return { kind: "end", end, cursor };
}

export const away = { kind: "away" } as const;
export const pauses = { kind: "pauses" } as const;
export const ended = { kind: "ended" } as const;

export type NextOfReplay = Extract<StepNext, { readonly kind: "again" | "piece" }>;

export function placeAfter(cursor: Cursor, following?: NextOfReplay): Cursor {
  const { element, piece, reset } = cursor;
  if (typeof reset?.at === "number") {
    const at = following === undefined ? reset.at + 1 : reset.at;
    const after = advanced(cursor, { piece: following?.kind === "piece" ? piece + 1 : 0 });
    return { ...after, reset: { at, taken: reset.taken + 1 } };
  }
  if (following === undefined) {
    return { ...advanced(cursor), element: element + 1, replayed: cursor.replayed + 1 };
  }
  return advanced(cursor, { piece: following.kind === "piece" ? piece + 1 : piece });
}

export function afterLeftOut(cursor: Cursor): Cursor {
  return { ...placeAfter(cursor), replayed: cursor.replayed };
}

export function advanced(cursor: Cursor, { piece = 0 }: { readonly piece?: number } = {}): Cursor {
  return { ...cursor, index: cursor.index + 1, piece, waitedMs: 0, awayMs: 0 };
}
