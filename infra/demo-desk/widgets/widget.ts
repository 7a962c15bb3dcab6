import type { Point } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import type { Theme } from "../drawing/theme.ts";
import type { KeyPress } from "./key-press.ts";

export interface Look {
  readonly theme: Theme;
  readonly isFocused: boolean;
  readonly isHovered: boolean;
  readonly isPressed: boolean;
  readonly showsCursor: boolean;
  readonly pointer: Point | undefined;
}

/** Points are relative to the widget's upper left corner, its bounds to the window's. */
export interface Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly takesFocus: boolean;
  readonly labelled?: Widget;
  draw(canvas: Canvas, look: Look): void;
  press?(at: Point, isSecond: boolean): void;
  activate?(): void;
  type?(character: string): void;
  key?(key: KeyPress): boolean;
  scroll?(rows: number): void;
  /** Ctrl+c copies this text; it is undefined where nothing is selected. */
  readonly selectedText?: string | undefined;
  cut?(): void;
  /** Called when the widget gets the keyboard from Tab or its label. */
  enter?(): void;
}
