import { Refusal } from "../answer.ts";
import type { InputOf, ResultOf, ScreenOperation } from "../desktops/desktop-operations.ts";
import type { PictureTag } from "./picture-tag.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type MouseButton = InputOf<"clickMouse">["button"];
export type ScrollDirection = InputOf<"scrollMouse">["direction"];

export interface Screenshot {
  readonly png: Uint8Array;
  /** A blinking cursor does not unsettle the screen; the field means nothing where `settle_ms` is 0. */
  readonly isSettled: boolean;
}

export interface WatchInput extends InputOf<"takeScreenshot"> {
  /** The tags of the pictures that the caller has. */
  readonly unless: readonly PictureTag[];
}

export interface WatchedScreen {
  readonly etag: string;
  /** Undefined if the screen shows one of the named pictures. */
  readonly screenshot: Screenshot | undefined;
}

export type ScreenActions = {
  readonly [Id in ScreenOperation["id"]]: (
    input: InputOf<Id>,
    signal: AbortSignal,
  ) => Id extends "takeScreenshot" ? Promise<Screenshot> : ResultOf<Id>;
};

/** Text and keys that pass through a screen are never logged. */
export type Screen = ScreenActions & {
  watch(input: WatchInput, signal: AbortSignal): Promise<WatchedScreen>;
  readonly osInfo: string;
  readonly programs: readonly string[];
  /** Releases the last one first, including those left by an earlier driver. */
  releaseHeld(): Promise<void>;
};

export function pointOf({ x, y }: { readonly x?: number | undefined; readonly y?: number | undefined }) {
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** A click outside the display would hit the nearest point inside. @throws {Refusal} 422 `outside_display`. */
export function requireInside({ x, y }: Point, { width, height }: Size): void {
  if (x >= 0 && y >= 0 && x < width && y < height) return;
  throw new Refusal(422, "outside_display", `(${x}, ${y}) is outside the display of ${width}x${height}`);
}
