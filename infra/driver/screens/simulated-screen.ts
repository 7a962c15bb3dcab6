import type { InputOf } from "../desktops/desktop-operations.ts";
import { parseKeyGroups } from "./keysyms/key-groups.ts";
import { charactersOf } from "./keysyms/typable.ts";
import type { Frame, PointerPicture } from "./pictures/frame.ts";
import { PictureEncoder } from "./pictures/picture-encoder.ts";
import {
  type MouseButton,
  type Point,
  pointOf,
  requireInside,
  type Screen,
  type Screenshot,
  type ScrollDirection,
  type Size,
} from "./screen.ts";

const background = 0x2e5266;
const grid = 0x3d6478;
const gridPixels = 40;
const markColor = 0xd1495b;
const markPixels = 3;
const eventsMax = 1_000;

/** Of all simulated screens: a thread each would cost more than their pictures. */
const encoder = new PictureEncoder();

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

const pointerColor = 0xffffcc00;
const pointerPixels = 8;
const pointerSide = 2 * pointerPixels + 1;
/** A diamond around the point. */
const pointerShape = Uint32Array.from({ length: pointerSide ** 2 }, (_, at) => {
  const besideX = Math.abs((at % pointerSide) - pointerPixels);
  const besideY = Math.abs(Math.floor(at / pointerSide) - pointerPixels);
  return besideX + besideY <= pointerPixels ? pointerColor : 0;
});

function pointerAt({ x, y }: Point): PointerPicture {
  const corner = { x: x - pointerPixels, y: y - pointerPixels };
  return { ...corner, width: pointerSide, height: pointerSide, argb: pointerShape };
}

/** A display in memory, for where there is none: it keeps what was done to it and shows where its pointer is. */
export class SimulatedScreen implements Screen {
  readonly osInfo = "simulated desktop (no real display)";
  readonly #size: Size;
  #pointer: Point;
  /** Where something was last done, so that a picture shows that it was. */
  #mark: Point | undefined;
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

  async takeScreenshot(input: InputOf<"takeScreenshot">, signal: AbortSignal): Promise<Screenshot> {
    const { width, height, cursor } = input;
    const pointer = cursor ? pointerAt(this.#pointer) : undefined;
    const png = await encoder.encode(this.#draw(), { width, height, pointer }, signal);
    // Nothing draws by itself here.
    return { png, isSettled: true };
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
    if (event.kind !== "move") this.#mark = this.#pointer;
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events = this.#events.slice(-eventsMax);
  }

  #moveTo(to: Point | undefined): Point {
    if (to === undefined) return this.#pointer;
    requireInside(to, this.#size);
    this.#pointer = to;
    return to;
  }

  #draw(): Frame {
    const { width, height } = this.#size;
    const words = new Uint32Array(width * height).fill(background);
    for (let y = 0; y < height; y += gridPixels) words.fill(grid, y * width, (y + 1) * width);
    for (let x = 0; x < width; x += gridPixels) {
      for (let at = x; at < words.length; at += width) words[at] = grid;
    }
    if (this.#mark !== undefined) {
      const left = Math.max(0, this.#mark.x - markPixels);
      const right = Math.min(width, this.#mark.x + markPixels + 1);
      const bottom = Math.min(height, this.#mark.y + markPixels + 1);
      for (let y = Math.max(0, this.#mark.y - markPixels); y < bottom; y += 1) {
        words.fill(markColor, y * width + left, y * width + right);
      }
    }
    return { width, height, pixels: new Uint8Array(words.buffer) };
  }
}
