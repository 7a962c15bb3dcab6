import type { Size } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import { lineHeight } from "../drawing/font.ts";
import { Button } from "./button.ts";
import { Panel, type PanelLook } from "./panel.ts";

const size = { width: 380, height: 168 };
const backdrop = 0x000000;
const backdropShare = 128;

export interface DialogOptions {
  readonly title: string;
  readonly lines: readonly string[];
  /** The first is the main one; Escape chooses the last. */
  readonly answers: readonly { readonly name: string; readonly label: string; readonly act: () => void }[];
  readonly over: Size;
  readonly isDimmed: boolean;
}

export class Dialog {
  readonly panel: Panel;
  readonly #box: Box;
  readonly #options: DialogOptions;

  constructor(options: DialogOptions) {
    this.#options = options;
    const { over, answers } = options;
    const x = Math.floor((over.width - size.width) / 2);
    const y = Math.floor((over.height - size.height) / 2);
    this.#box = { x, y, ...size };
    const buttons = answers.map(
      ({ name, label, act }, index) =>
        new Button({
          name,
          label,
          act,
          isMain: index === 0,
          bounds: { x: x + size.width - 126 * (index + 1), y: y + size.height - 50, width: 110, height: 34 },
        }),
    );
    const [main] = buttons;
    if (main === undefined) throw new Error("a dialog needs an answer");
    const last = answers.at(-1);
    this.panel = new Panel({ widgets: buttons, main, cancel: () => last?.act() });
    this.panel.focus(main);
  }

  draw(canvas: Canvas, look: PanelLook): void {
    const { theme } = look;
    const { over, isDimmed, title, lines } = this.#options;
    const { x, y, width } = this.#box;
    if (isDimmed) canvas.tint({ x: 0, y: 0, ...over }, backdrop, backdropShare);
    canvas.panel(this.#box, theme.faintText, theme.window);
    canvas.fill({ x: x + 1, y: y + 3, width: width - 2, height: 31 }, theme.titleBar);
    canvas.text({ x: x + 16, y: y + 10 }, title, { color: theme.titleText, isBold: true });
    for (const [index, line] of lines.entries()) {
      canvas.text({ x: x + 16, y: y + 52 + index * (lineHeight + 4) }, line, { color: theme.text });
    }
    this.panel.draw(canvas, look);
  }
}
