import type { Point } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import type { Theme } from "../drawing/theme.ts";
import type { KeyPress } from "./key-press.ts";

/** The state that a widget is drawn in. */
export interface Look {
  readonly theme: Theme;
  readonly isFocused: boolean;
  readonly isHovered: boolean;
  readonly isPressed: boolean;
  /** Whether a blinking cursor is visible now. */
  readonly showsCursor: boolean;
  /** The pointer's place on the widget, where it is hovered. */
  readonly pointer: Point | undefined;
}

/** A part of a window; its points are relative to its own upper left corner, its bounds to the window's. */
export interface Widget {
  readonly name: string;
  readonly bounds: Box;
  /** Whether a click or Tab gives the widget the keyboard. */
  readonly takesFocus: boolean;
  /** The widget that gets the keyboard by a click on this one. */
  readonly labelled?: Widget;
  draw(canvas: Canvas, look: Look): void;
  press?(at: Point, isSecond: boolean): void;
  /** Called when the mouse button was pressed and released on the widget. */
  activate?(): void;
  type?(character: string): void;
  /** @returns whether the key was for this widget. */
  key?(key: KeyPress): boolean;
  scroll?(rows: number): void;
  /** The text that ctrl+c copies; undefined where nothing is selected. */
  readonly selectedText?: string | undefined;
  cut?(): void;
  /** Called when the widget gets the keyboard from Tab or its label. */
  enter?(): void;
}
