import { Refusal } from "../answer.ts";
import type { InputOf, ResultOf, ScreenOperation } from "../desktops/desktop-operations.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type MouseButton = InputOf<"clickMouse">["button"];
export type ScrollDirection = InputOf<"scrollMouse">["direction"];

export interface Screenshot {
  readonly png: Uint8Array;
  /** Whether the screen became still within `settle_ms`, but for a blinking cursor; meaningless where that is 0. */
  readonly isSettled: boolean;
}

/** The contract's operations on a display, mouse, keyboard and clipboard. */
export type ScreenActions = {
  readonly [Id in ScreenOperation["id"]]: (
    input: InputOf<Id>,
    signal: AbortSignal,
  ) => Id extends "takeScreenshot" ? Promise<Screenshot> : ResultOf<Id>;
};

/** A display with its input devices. Text and keys that pass through it are never logged. */
export type Screen = ScreenActions & {
  readonly osInfo: string;
  /** Names of the programs that it opens. */
  readonly programs: readonly string[];
  /** Releases the keys and buttons that `down` holds, the last one first, also what a driver before this one left. */
  releaseHeld(): Promise<void>;
};

/** The point of a mouse action; undefined for the pointer's place. */
export function pointOf({ x, y }: { readonly x?: number | undefined; readonly y?: number | undefined }) {
  return x === undefined || y === undefined ? undefined : { x, y };
}

/**
 * Refuses a point outside the display, which would take the nearest one inside, so that a click would go astray.
 *
 * @throws {Refusal} 422 `outside_display`.
 */
export function requireInside({ x, y }: Point, { width, height }: Size): void {
  if (x >= 0 && y >= 0 && x < width && y < height) return;
  throw new Refusal(422, "outside_display", `(${x}, ${y}) is outside the display of ${width}x${height}`);
}
