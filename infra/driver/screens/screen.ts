export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type MouseButton = "left" | "middle" | "right";
export type ScrollDirection = "up" | "down" | "left" | "right";

/** A display with its mouse, keyboard and clipboard. Text and keys that pass through it are never logged. */
export interface Screen {
  readonly osInfo: string;
  size(signal: AbortSignal): Promise<Size>;
  /** A PNG, scaled where a size is given; with one of the two the other follows the display's shape. */
  screenshot(scale: Partial<Size>, signal: AbortSignal): Promise<Uint8Array>;
  pointer(signal: AbortSignal): Promise<Point>;
  movePointer(to: Point, signal: AbortSignal): Promise<void>;
  /** Without `at` where the pointer is. */
  click(button: MouseButton, clicks: number, at: Point | undefined, signal: AbortSignal): Promise<void>;
  /** Presses the button, or releases it. */
  holdButton(button: MouseButton, down: boolean, at: Point | undefined, signal: AbortSignal): Promise<void>;
  drag(button: MouseButton, from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<void>;
  /** @param amount wheel clicks, at least 1. */
  scroll(
    direction: ScrollDirection,
    amount: number,
    at: Point | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  typeText(text: string, signal: AbortSignal): Promise<void>;
  /**
   * Presses groups of keys one after another, the keys of a group together.
   *
   * @param groups names of X keysyms.
   * @throws {Refusal} 422 `unknown_key`.
   */
  pressKeys(groups: readonly (readonly string[])[], signal: AbortSignal): Promise<void>;
  /** Copies what is selected and answers the clipboard; "" when it holds no text. */
  copySelection(signal: AbortSignal): Promise<string>;
}
