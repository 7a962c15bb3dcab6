import { Desk } from "../../../infra/demo-desk/desk.ts";
import { type DeskInput, DeskOptions } from "../../../infra/demo-desk/desk-options.ts";
import type { Box } from "../../../infra/demo-desk/drawing/canvas.ts";
import { parseKeyGroups } from "../../../infra/driver/screens/keysyms/key-groups.ts";
import type { Point } from "../../../infra/driver/screens/screen.ts";
import type { Picture } from "../../../shared/domain/picture/picture.ts";

type WidgetName = Parameters<Desk["boundsOf"]>[0];

export const deskIcon = { x: 68, y: 66 };

export class DeskAtHand {
  readonly desk: Desk;
  readonly exported: { path: string; text: string }[] = [];
  readonly #options: DeskOptions;
  now = 1_800_000_000_000;

  constructor(input: DeskInput = { open: true }) {
    this.#options = DeskOptions.parse(input);
    this.desk = new Desk(
      this.#options,
      { x: 0, y: 0 },
      {
        now: () => this.now,
        exportTo: async (path, text) => void this.exported.push({ path, text }),
      },
    );
  }

  middleOf(name: WidgetName): Point {
    const box = this.desk.boundsOf(name);
    if (box === undefined) throw new Error("the program is not open");
    return { x: box.x + Math.floor(box.width / 2), y: box.y + Math.floor(box.height / 2) };
  }

  row(index: number): Point {
    const { x, y } = this.desk.boundsOf("customers") ?? { x: 0, y: 0 };
    return { x: x + 60, y: y + 14 + 25 * index };
  }

  click(at: Point | WidgetName, clicks = 1): void {
    this.desk.move(typeof at === "string" ? this.middleOf(at) : at);
    for (let click = 0; click < clicks; click += 1) {
      this.desk.button("left", true);
      this.desk.button("left", false);
    }
  }

  drag(from: Point, to: Point): void {
    this.desk.move(from);
    this.desk.button("left", true);
    this.desk.move(to);
    this.desk.button("left", false);
  }

  type(text: string): void {
    this.desk.type([...text]);
  }

  keys(text: string): void {
    for (const group of parseKeyGroups(text)) {
      for (const keysym of group) this.desk.key(keysym, true);
      for (const keysym of [...group].reverse()) this.desk.key(keysym, false);
    }
  }

  textOf(name: WidgetName): string {
    this.click(name);
    this.keys("ctrl+a ctrl+c");
    return this.desk.clipboard;
  }

  /** Fills the form so that it can be saved. */
  fill(): void {
    this.click(this.row(0));
    for (const [name, text] of [
      ["item", "Ink"],
      ["quantity", "3"],
      ["pin", "4711"],
    ] as const) {
      this.click(name);
      this.type(text);
    }
  }

  picture(afterMs = 0): Int32Array {
    const { width, height } = this.#options.size;
    const words = new Int32Array(width * height);
    this.desk.draw(words, this.now + afterMs);
    return words;
  }

  screenshot(): Picture {
    const words = this.picture();
    const data = new Uint8Array(words.length * 3);
    for (const [index, word] of words.entries()) {
      data[index * 3] = word >>> 16;
      data[index * 3 + 1] = word >>> 8;
      data[index * 3 + 2] = word;
    }
    return { ...this.#options.size, data };
  }

  changedSince(before: Int32Array): Box | undefined {
    const { width } = this.#options.size;
    const after = this.picture();
    let [left, top, right, bottom] = [width, Number.POSITIVE_INFINITY, -1, -1];
    for (let at = 0; at < after.length; at += 1) {
      if (after[at] === before[at]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), y];
    }
    if (right < 0) return undefined;
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }
}
