import type { Point, Size } from "../../driver/screens/screen.ts";
import { glyphOf, lineHeight, textWidth } from "./font.ts";

export interface Box extends Point, Size {}

export function isInBox({ x, y }: Point, box: Box): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

export type Color = number;

export interface TextStyle {
  readonly color: Color;
  readonly isBold?: boolean;
}

function mix(upper: Color, lower: Color, share: number): Color {
  let mixed = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    const [above, below] = [(upper >>> shift) & 0xff, (lower >>> shift) & 0xff];
    mixed |= Math.round(below + ((above - below) * share) / 255) << shift;
  }
  return mixed;
}

/** A part of a picture with its own origin; drawing is clipped to its edges. */
export class Canvas {
  readonly #words: Int32Array;
  readonly #stride: number;
  readonly #left: number;
  readonly #top: number;
  readonly #clip: Box;

  private constructor(words: Int32Array, stride: number, origin: Point, clip: Box) {
    this.#words = words;
    this.#stride = stride;
    this.#left = origin.x;
    this.#top = origin.y;
    this.#clip = clip;
  }

  /** @param words must be what `wordsOf` returns for a frame of this size. */
  static of(words: Int32Array, { width, height }: Size): Canvas {
    return new Canvas(words, width, { x: 0, y: 0 }, { x: 0, y: 0, width, height });
  }

  within(box: Box): Canvas {
    const origin = { x: this.#left + box.x, y: this.#top + box.y };
    return new Canvas(this.#words, this.#stride, origin, this.#cut(box));
  }

  fill(box: Box, color: Color): void {
    const { x, y, width, height } = this.#cut(box);
    for (let row = y; row < y + height; row += 1) {
      const start = row * this.#stride + x;
      this.#words.fill(color, start, start + width);
    }
  }

  fillRound(box: Box, color: Color): void {
    const { x, y, width, height } = box;
    this.fill({ x: x + 2, y, width: width - 4, height: 1 }, color);
    this.fill({ x: x + 1, y: y + 1, width: width - 2, height: 1 }, color);
    this.fill({ x, y: y + 2, width, height: height - 4 }, color);
    this.fill({ x: x + 1, y: y + height - 2, width: width - 2, height: 1 }, color);
    this.fill({ x: x + 2, y: y + height - 1, width: width - 4, height: 1 }, color);
  }

  panel(box: Box, border: Color, inside: Color, borderPixels = 1): void {
    this.fillRound(box, border);
    const { x, y, width, height } = box;
    const inner = borderPixels * 2;
    this.fillRound(
      { x: x + borderPixels, y: y + borderPixels, width: width - inner, height: height - inner },
      inside,
    );
  }

  /** At a `share` of 255 only the color is left. */
  tint(box: Box, color: Color, share: number): void {
    const { x, y, width, height } = this.#cut(box);
    for (let row = y; row < y + height; row += 1) {
      const end = row * this.#stride + x + width;
      for (let at = end - width; at < end; at += 1) this.#words[at] = mix(color, this.#words[at] ?? 0, share);
    }
  }

  fade({ x, y, width, height }: Box, top: Color, bottom: Color): void {
    for (let row = 0; row < height; row += 1) {
      const color = mix(bottom, top, Math.round((255 * row) / height));
      this.fill({ x, y: y + row, width, height: 1 }, color);
    }
  }

  text(at: Point, text: string, { color, isBold = false }: TextStyle): void {
    let x = at.x;
    for (const character of text) {
      const glyph = glyphOf(character);
      this.#glyph({ x, y: at.y }, character, color);
      if (isBold) this.#glyph({ x: x + 1, y: at.y }, character, color);
      x += glyph.advance + (isBold ? 1 : 0);
    }
  }

  centeredText(box: Box, text: string, style: TextStyle): void {
    const x = box.x + Math.floor((box.width - textWidth(text, style.isBold) + 2) / 2);
    this.text({ x, y: box.y + Math.floor((box.height - lineHeight) / 2) }, text, style);
  }

  #glyph(at: Point, character: string, color: Color): void {
    const { columns, rows, top, cover } = glyphOf(character);
    const { x: left, y: above, width, height } = this.#clip;
    for (let row = 0; row < rows; row += 1) {
      const y = this.#top + at.y + top + row;
      if (y < above || y >= above + height) continue;
      for (let column = 0; column < columns; column += 1) {
        const share = cover[row * columns + column] ?? 0;
        const x = this.#left + at.x + column;
        if (share === 0 || x < left || x >= left + width) continue;
        const index = y * this.#stride + x;
        this.#words[index] = mix(color, this.#words[index] ?? 0, share);
      }
    }
  }

  #cut(box: Box): Box {
    const { x, y, width, height } = this.#clip;
    const left = Math.max(x, this.#left + box.x);
    const top = Math.max(y, this.#top + box.y);
    const right = Math.min(x + width, this.#left + box.x + box.width);
    const bottom = Math.min(y + height, this.#top + box.y + box.height);
    return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  }
}
