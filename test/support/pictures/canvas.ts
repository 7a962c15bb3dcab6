import { clip, type Picture, type Rectangle } from "../../../shared/domain/picture/picture.ts";
import { eachInkPixel } from "./bitmap-font.ts";

/** Colors are 0xRRGGBB. What hangs over the border is left out. */
export class Canvas implements Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;

  constructor(width: number, height: number, color = 0) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(width * height * 3);
    this.fill({ x: 0, y: 0, width, height }, color);
  }

  set(x: number, y: number, color: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    this.data[at] = color >> 16;
    this.data[at + 1] = color >> 8;
    this.data[at + 2] = color;
  }

  fill(part: Rectangle, color: number): void {
    const { x = 0, y = 0, width = 0, height = 0 } = clip(this, part) ?? {};
    const start = (y * this.width + x) * 3;
    for (let at = x; at < x + width; at += 1) this.set(at, y, color);
    for (let row = 1; row < height; row += 1) {
      this.data.copyWithin(start + row * this.width * 3, start, start + width * 3);
    }
  }

  frame(box: Rectangle, color: number, thickness = 1): void {
    const { x, y, width, height } = box;
    this.fill({ x, y, width, height: thickness }, color);
    this.fill({ x, y: y + height - thickness, width, height: thickness }, color);
    this.fill({ x, y, width: thickness, height }, color);
    this.fill({ x: x + width - thickness, y, width: thickness, height }, color);
  }

  text(x: number, y: number, text: string, color: number): void {
    eachInkPixel(text, (dx, dy) => this.set(x + dx, y + dy, color));
  }

  blend({ x, y, width, height }: Rectangle, color: number, share: number): void {
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row += 1) {
      for (let column = Math.max(0, x); column < Math.min(this.width, x + width); column += 1) {
        const at = (row * this.width + column) * 3;
        for (const [part, upper] of [color >> 16, (color >> 8) & 0xff, color & 0xff].entries()) {
          this.data[at + part] = Math.round((this.data[at + part] ?? 0) * (1 - share) + upper * share);
        }
      }
    }
  }

  noise(most: number, random: () => number): void {
    for (let at = 0; at < this.data.length; at += 1) {
      const value = (this.data[at] ?? 0) + Math.round((2 * random() - 1) * most);
      this.data[at] = Math.max(0, Math.min(255, value));
    }
  }
}
