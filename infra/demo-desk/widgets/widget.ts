import type { Point } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import type { Theme } from "../drawing/theme.ts";
import type { KeyPress } from "./key-press.ts";

/** How a widget is to be drawn now. */
export interface Look {
  readonly theme: Theme;
  readonly isFocused: boolean;
  readonly isHovered: boolean;
  readonly isPressed: boolean;
  /** Of a blinking cursor. */
  readonly showsCursor: boolean;
  /** On the widget, where it is hovered. */
  readonly pointer: Point | undefined;
}

/** A part of a window; its points are relative to its own upper left corner, its bounds to the window's. */
export interface Widget {
  readonly name: string;
  readonly bounds: Box;
  /** Whether a click or Tab gives it the keyboard. */
  readonly takesFocus: boolean;
  /** What a click on it gives the keyboard to. */
  readonly labelled?: Widget;
  draw(canvas: Canvas, look: Look): void;
  press?(at: Point, isSecond: boolean): void;
  /** The button was pressed and released on it. */
  activate?(): void;
  type?(character: string): void;
  /** @returns whether the key was for this widget. */
  key?(key: KeyPress): boolean;
  scroll?(rows: number): void;
  /** What ctrl+c copies; undefined where nothing is selected. */
  readonly selectedText?: string | undefined;
  cut?(): void;
  /** It has got the keyboard from Tab or its label. */
  enter?(): void;
}
