import type { Point } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import type { KeyPress } from "./key-press.ts";
import type { Look, Widget } from "./widget.ts";

const textDrop = 4;
const barWidth = 6;

export interface ListOptions {
  readonly name: string;
  readonly bounds: Box;
  readonly rowHeight: number;
  readonly columns: readonly number[];
  readonly onSelect?: (row: number) => void;
  readonly scrolled?: number;
}

export class List implements Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly takesFocus = true;
  readonly #options: ListOptions;
  #rows: readonly (readonly string[])[] = [];
  #selected: number | undefined;
  #first: number;

  constructor(options: ListOptions) {
    this.name = options.name;
    this.bounds = options.bounds;
    this.#options = options;
    this.#first = options.scrolled ?? 0;
  }

  get rows(): readonly (readonly string[])[] {
    return this.#rows;
  }

  get selected(): number | undefined {
    return this.#selected;
  }

  get selectedText(): string | undefined {
    return this.#selected === undefined ? undefined : this.#rows[this.#selected]?.join("\t");
  }

  show(rows: readonly (readonly string[])[], selected: number | undefined): void {
    this.#rows = rows;
    this.#selected = selected;
    this.scroll(0);
  }

  press(at: Point): void {
    const row = this.#rowAt(at);
    if (row !== undefined) this.#options.onSelect?.(row);
  }

  select(row: number | undefined): void {
    this.#selected = row;
  }

  key({ name }: KeyPress): boolean {
    if (this.#rows.length === 0) return false;
    const current = this.#selected ?? -1;
    const targets = { Up: current - 1, Down: current + 1, Home: 0, End: this.#rows.length - 1 };
    if (name === undefined || !(name in targets)) return false;
    const target = targets[name as keyof typeof targets];
    const row = Math.min(this.#rows.length - 1, Math.max(0, target));
    this.#options.onSelect?.(row);
    this.#first = Math.min(row, Math.max(this.#first, row - this.#shownRows + 1));
    return true;
  }

  scroll(rows: number): void {
    const last = Math.max(0, this.#rows.length - this.#shownRows);
    this.#first = Math.min(last, Math.max(0, this.#first + rows));
  }

  draw(canvas: Canvas, { theme, isFocused, pointer }: Look): void {
    const { width, height } = this.bounds;
    const { rowHeight, columns } = this.#options;
    canvas.panel(
      { x: 0, y: 0, width, height },
      isFocused ? theme.accent : theme.border,
      theme.field,
      isFocused ? 2 : 1,
    );
    const hovered = pointer === undefined ? undefined : this.#rowAt(pointer);
    const inside = canvas.within({ x: 2, y: 2, width: width - 4, height: height - 4 });
    for (let row = this.#first; row <= this.#first + this.#shownRows; row += 1) {
      const cells = this.#rows[row];
      if (cells === undefined) break;
      const y = (row - this.#first) * rowHeight;
      const back = row === this.#selected ? theme.selection : row === hovered ? theme.hovered : undefined;
      if (back !== undefined) inside.fill({ x: 0, y, width: width - 4, height: rowHeight }, back);
      for (const [index, cell] of cells.entries()) {
        const color = index === 0 ? theme.text : theme.faintText;
        inside.text({ x: columns[index] ?? 0, y: y + textDrop }, cell, { color });
      }
    }
    this.#drawBar(inside, width - 4, height - 4, theme.border);
  }

  #drawBar(canvas: Canvas, width: number, height: number, color: number): void {
    const count = this.#rows.length;
    if (count <= this.#shownRows) return;
    const long = Math.max(12, Math.round((height * this.#shownRows) / count));
    const y = Math.round(((height - long) * this.#first) / (count - this.#shownRows));
    canvas.fillRound({ x: width - barWidth - 1, y, width: barWidth, height: long }, color);
  }

  get #shownRows(): number {
    return Math.floor((this.bounds.height - 4) / this.#options.rowHeight);
  }

  #rowAt({ y }: Point): number | undefined {
    const row = this.#first + Math.floor((y - 2) / this.#options.rowHeight);
    return y >= 2 && row < this.#rows.length ? row : undefined;
  }
}
