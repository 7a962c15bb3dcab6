import type { Box, Canvas } from "../drawing/canvas.ts";
import { lineHeight, textWidth } from "../drawing/font.ts";
import type { Look, Widget } from "./widget.ts";

const gap = 20;
const drop = 7;

/** A click on the label gives the field the keyboard and selects all of its text. */
export class Label implements Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly takesFocus = false;
  readonly labelled: Widget;
  readonly #text: string;

  constructor(text: string, labelled: Widget) {
    const { x, y } = labelled.bounds;
    const width = textWidth(text);
    this.name = `${labelled.name} label`;
    this.bounds = { x: x - gap - width, y: y + drop, width, height: lineHeight };
    this.labelled = labelled;
    this.#text = text;
  }

  draw(canvas: Canvas, { theme }: Look): void {
    canvas.text({ x: 0, y: 0 }, this.#text, { color: theme.faintText });
  }
}
