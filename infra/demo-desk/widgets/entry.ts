import type { Point } from "../../driver/screens/screen.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import { lineHeight, textWidth } from "../drawing/font.ts";
import type { KeyPress } from "./key-press.ts";
import type { Look, Widget } from "./widget.ts";

const paddingX = 8;
const charactersMax = 100_000;

export interface EntryOptions {
  readonly name: string;
  readonly bounds: Box;
  readonly text?: string;
  readonly hint?: string;
  /** The field shows dots, and its text cannot be copied. */
  readonly isMasked?: boolean;
  readonly isReadOnly?: boolean;
  readonly isMultiline?: boolean;
  readonly onChange?: () => void;
  /** Without it, Return presses the window's main button. */
  readonly onReturn?: () => void;
}

interface Line {
  readonly start: number;
  readonly characters: readonly string[];
}

export class Entry implements Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly takesFocus = true;
  readonly #options: EntryOptions;
  #characters: string[];
  #cursor: number;
  #anchor: number;

  constructor(options: EntryOptions) {
    this.name = options.name;
    this.bounds = options.bounds;
    this.#options = options;
    this.#characters = [...(options.text ?? "")];
    this.#cursor = this.#characters.length;
    this.#anchor = this.#cursor;
  }

  get text(): string {
    return this.#characters.join("");
  }

  set text(text: string) {
    this.#characters = [...text];
    this.#moveTo(this.#characters.length, false);
  }

  get selectedText(): string | undefined {
    const [from, to] = this.#selection;
    return from === to || this.#options.isMasked === true
      ? undefined
      : this.#characters.slice(from, to).join("");
  }

  enter(): void {
    this.#select(0, this.#characters.length);
  }

  press(at: Point, isSecond: boolean): void {
    if (isSecond) {
      this.enter();
      return;
    }
    const lines = this.#lines();
    const row = Math.min(lines.length - 1, Math.max(0, Math.floor((at.y - this.#paddingY) / lineHeight)));
    const line = lines[row + this.#hiddenLines()] ?? lines.at(-1);
    if (line === undefined) return;
    let x = paddingX - this.#hiddenPixels();
    let count = 0;
    for (const character of line.characters) {
      const width = textWidth(this.#shown(character));
      if (at.x < x + width / 2) break;
      x += width;
      count += 1;
    }
    this.#moveTo(line.start + count, false);
  }

  type(character: string): void {
    if (this.#options.isReadOnly === true) return;
    this.#replaceSelection([...character]);
  }

  cut(): void {
    if (this.#options.isReadOnly !== true) this.#replaceSelection([]);
  }

  key(key: KeyPress): boolean {
    if (key.isCtrl) {
      if (key.character?.toLowerCase() !== "a") return false;
      this.#select(0, this.#characters.length);
      return true;
    }
    if (key.character !== undefined) {
      this.type(key.character);
      return true;
    }
    return this.#edit(key) || this.#go(key);
  }

  draw(canvas: Canvas, { theme, isFocused, isHovered, showsCursor }: Look): void {
    const { width, height } = this.bounds;
    const { hint, isReadOnly } = this.#options;
    const border = isFocused ? theme.accent : isHovered ? theme.faintText : theme.border;
    const inside = isReadOnly === true ? theme.window : theme.field;
    canvas.panel({ x: 0, y: 0, width, height }, border, inside, isFocused ? 2 : 1);
    const text = canvas.within({ x: 4, y: 2, width: width - 8, height: height - 4 });
    const left = paddingX - 4 - this.#hiddenPixels();
    if (this.#characters.length === 0 && !isFocused && hint !== undefined) {
      text.text({ x: left, y: this.#paddingY - 2 }, hint, { color: theme.faintText });
    }
    const [from, to] = this.#selection;
    for (const [index, line] of this.#lines().entries()) {
      const y = this.#paddingY - 2 + (index - this.#hiddenLines()) * lineHeight;
      const widthTo = (end: number) => this.#widthOf(line.characters.slice(0, Math.max(0, end - line.start)));
      if (isFocused && from < to) {
        const [start, end] = [widthTo(from), widthTo(to)];
        text.fill({ x: left + start, y, width: end - start, height: lineHeight }, theme.selection);
      }
      text.text({ x: left, y }, line.characters.map((each) => this.#shown(each)).join(""), {
        color: theme.text,
      });
      const isHere = this.#cursor >= line.start && this.#cursor <= line.start + line.characters.length;
      if (isFocused && showsCursor && isHere && isReadOnly !== true) {
        text.fill({ x: left + widthTo(this.#cursor) - 1, y, width: 1, height: lineHeight }, theme.text);
      }
    }
  }

  get #paddingY(): number {
    return this.#options.isMultiline === true ? 6 : Math.floor((this.bounds.height - lineHeight) / 2);
  }

  get #selection(): readonly [number, number] {
    return [Math.min(this.#cursor, this.#anchor), Math.max(this.#cursor, this.#anchor)];
  }

  #shown(character: string): string {
    return this.#options.isMasked === true ? "•" : character;
  }

  #widthOf(characters: readonly string[]): number {
    return textWidth(characters.map((each) => this.#shown(each)).join(""));
  }

  #lines(): readonly Line[] {
    let start = 0;
    return this.text.split("\n").map((line) => {
      const characters = [...line];
      const found = { start, characters };
      start += characters.length + 1;
      return found;
    });
  }

  #lineOfCursor(): number {
    return this.#characters.slice(0, this.#cursor).filter((each) => each === "\n").length;
  }

  #hiddenLines(): number {
    const shown = Math.floor((this.bounds.height - 2 * this.#paddingY) / lineHeight);
    return Math.max(0, this.#lineOfCursor() - Math.max(1, shown) + 1);
  }

  #hiddenPixels(): number {
    const line = this.#lines()[this.#lineOfCursor()];
    const before = line?.characters.slice(0, this.#cursor - line.start) ?? [];
    return Math.max(0, this.#widthOf(before) - (this.bounds.width - 2 * paddingX));
  }

  #select(from: number, to: number): void {
    this.#anchor = from;
    this.#cursor = to;
  }

  #moveTo(cursor: number, isSelecting: boolean): void {
    this.#cursor = Math.min(this.#characters.length, Math.max(0, cursor));
    if (!isSelecting) this.#anchor = this.#cursor;
  }

  #replaceSelection(characters: readonly string[]): void {
    const [from, to] = this.#selection;
    const room = charactersMax - this.#characters.length + to - from;
    const added = characters.slice(0, room);
    this.#characters.splice(from, to - from, ...added);
    this.#moveTo(from + added.length, false);
    this.#options.onChange?.();
  }

  #edit({ name }: KeyPress): boolean {
    const { isReadOnly, isMultiline, onReturn } = this.#options;
    if (name === "Return" && isMultiline === true) {
      this.type("\n");
      return true;
    }
    if (name === "Return" && onReturn !== undefined) {
      onReturn();
      return true;
    }
    if (name !== "BackSpace" && name !== "Delete") return false;
    if (isReadOnly === true) return true;
    if (this.#cursor === this.#anchor) this.#moveTo(this.#cursor + (name === "Delete" ? 1 : -1), true);
    this.#replaceSelection([]);
    return true;
  }

  #go({ name, isShift }: KeyPress): boolean {
    const line = this.#lines()[this.#lineOfCursor()];
    const [start, end] = [line?.start ?? 0, (line?.start ?? 0) + (line?.characters.length ?? 0)];
    const targets = { Left: this.#cursor - 1, Right: this.#cursor + 1, Home: start, End: end };
    if (name === undefined || !(name in targets)) return false;
    this.#moveTo(targets[name as keyof typeof targets], isShift);
    return true;
  }
}
