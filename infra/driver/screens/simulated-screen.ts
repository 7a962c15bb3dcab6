import type { InputOf } from "../desktops/desktop-operations.ts";
import { parseKeyGroups } from "./keysyms/key-groups.ts";
import { charactersOf } from "./keysyms/typable.ts";
import { createPng } from "./png.ts";
import {
  type MouseButton,
  type Point,
  pointOf,
  requireInside,
  type Screen,
  type ScrollDirection,
  type Size,
} from "./screen.ts";

const background = 0x2e5266;
const grid = 0x3d6478;
const gridPixels = 40;
const pointerStart = 0xffcc00;
const pointerPixels = 8;
const eventsMax = 1_000;

/** What a program on the display would have been told. */
export type SimulatedEvent =
  | { readonly kind: "move"; readonly to: Point }
  | { readonly kind: "button"; readonly button: MouseButton; readonly down: boolean; readonly at: Point }
  | {
      readonly kind: "scroll";
      readonly direction: ScrollDirection;
      readonly amount: number;
      readonly at: Point;
    }
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "key"; readonly keysym: number; readonly down: boolean };

/** A display in memory, for where there is none: it keeps what was done to it and shows where its pointer is. */
export class SimulatedScreen implements Screen {
  readonly osInfo = "simulated desktop (no real display)";
  readonly #size: Size;
  #pointer: Point;
  #events: SimulatedEvent[] = [];
  /** Keysyms and buttons, in the order in which they went down. */
  readonly #held = new Set<number | MouseButton>();
  #typed = "";

  constructor(size: Size = { width: 1280, height: 800 }) {
    this.#size = size;
    this.#pointer = { x: Math.floor(size.width / 2), y: Math.floor(size.height / 2) };
  }

  /** What was done, oldest first, the last 1,000. */
  get events(): readonly SimulatedEvent[] {
    return this.#events;
  }

  async getDisplayDimensions(): Promise<Size> {
    return this.#size;
  }

  async takeScreenshot(scale: InputOf<"takeScreenshot">): Promise<Uint8Array> {
    const { width, height } = this.#scaled(scale);
    const ratioX = this.#size.width / width;
    const ratioY = this.#size.height / height;
    return createPng(width, height, (x, y) => this.#color(Math.floor(x * ratioX), Math.floor(y * ratioY)));
  }

  async getMousePosition(): Promise<Point> {
    return this.#pointer;
  }

  async moveMouse(to: Point): Promise<void> {
    this.#record({ kind: "move", to: this.#moveTo(to) });
  }

  async clickMouse({ button, clicks, down, ...point }: InputOf<"clickMouse">): Promise<void> {
    this.#moveTo(pointOf(point));
    if (down !== undefined) return this.#put(button, down);
    for (let click = 0; click < clicks; click += 1) this.#click(button, () => {});
  }

  async dragMouse({ button, ...drag }: InputOf<"dragMouse">): Promise<void> {
    const to = { x: drag.to_x, y: drag.to_y };
    requireInside(to, this.#size);
    this.#moveTo({ x: drag.start_x, y: drag.start_y });
    this.#click(button, () => this.#moveTo(to));
  }

  async scrollMouse({ direction, amount, ...point }: InputOf<"scrollMouse">): Promise<void> {
    if (amount > 0) this.#record({ kind: "scroll", direction, amount, at: this.#moveTo(pointOf(point)) });
  }

  async typeText(input: InputOf<"typeText">): Promise<void> {
    const text = charactersOf(input.text).join("");
    this.#typed = (this.#typed + text).slice(-100_000);
    this.#record({ kind: "type", text });
  }

  async pressKeys({ text, down }: InputOf<"pressKeys">): Promise<void> {
    const groups = parseKeyGroups(text);
    if (down !== undefined) {
      const keys = groups.flat();
      for (const keysym of down ? keys : keys.reverse()) this.#put(keysym, down);
      return;
    }
    for (const group of groups) {
      // A key that is held stays held when it is named again.
      const keys = group.filter((keysym) => !this.#held.has(keysym));
      for (const keysym of keys) this.#put(keysym, true);
      for (const keysym of keys.reverse()) this.#put(keysym, false);
    }
  }

  async releaseHeld(): Promise<void> {
    for (const held of [...this.#held].reverse()) this.#put(held, false);
  }

  /** All that was typed, as if it stood selected in one field. */
  async copyToClipboard({ text }: InputOf<"copyToClipboard">): Promise<Readonly<Record<string, string>>> {
    return { [text]: this.#typed };
  }

  #click(button: MouseButton, whileDown: () => void): void {
    this.#put(button, true);
    whileDown();
    this.#put(button, false);
  }

  #put(input: number | MouseButton, down: boolean): void {
    if (down && this.#held.has(input)) return;
    if (down) this.#held.add(input);
    else this.#held.delete(input);
    this.#record(
      typeof input === "number"
        ? { kind: "key", keysym: input, down }
        : { kind: "button", button: input, down, at: this.#pointer },
    );
  }

  #record(event: SimulatedEvent): void {
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events = this.#events.slice(-eventsMax);
  }

  #moveTo(to: Point | undefined): Point {
    if (to === undefined) return this.#pointer;
    requireInside(to, this.#size);
    this.#pointer = to;
    return to;
  }

  #scaled({ width, height }: InputOf<"takeScreenshot">): Size {
    const shape = this.#size.width / this.#size.height;
    if (width !== undefined && height !== undefined) return { width, height };
    if (width !== undefined) return { width, height: Math.max(1, Math.round(width / shape)) };
    if (height !== undefined) return { width: Math.max(1, Math.round(height * shape)), height };
    return this.#size;
  }

  #color(x: number, y: number): number {
    const besideX = Math.abs(x - this.#pointer.x);
    const besideY = Math.abs(y - this.#pointer.y);
    if (besideX + besideY <= pointerPixels) return pointerStart;
    return x % gridPixels === 0 || y % gridPixels === 0 ? grid : background;
  }
}
