import { setTimeout as pause } from "node:timers/promises";
import { programOpenMsMax } from "../../shared/contract/computer/computer.ts";
import type { InputOf, ResultOf } from "../driver/desktops/desktop-operations.ts";
import { requireListed } from "../driver/programs/listed-program.ts";
import { Blinking } from "../driver/screens/blinking.ts";
import { parseKeyGroups } from "../driver/screens/keysyms/key-groups.ts";
import { charactersOf } from "../driver/screens/keysyms/typable.ts";
import { type Frame, type PointerPicture, wordsOf } from "../driver/screens/pictures/frame.ts";
import { PictureEncoder } from "../driver/screens/pictures/picture-encoder.ts";
import { areSame } from "../driver/screens/pictures/same-frames.ts";
import {
  type MouseButton,
  type Point,
  pointOf,
  requireInside,
  type Screen,
  type Screenshot,
  type ScrollDirection,
  type Size,
  type WatchedScreen,
  type WatchInput,
} from "../driver/screens/screen.ts";
import {
  quietMs,
  type StillFrame,
  type Stillness,
  type WatchedDisplay,
  watchScreen,
} from "../driver/screens/watch-screen.ts";
import { Desk } from "./desk.ts";
import { type DeskInput, DeskOptions } from "./desk-options.ts";

const eventsMax = 1_000;
const copyKeys = "ctrl+c";
const deskPrograms = [{ name: "Orders" }] as const;

/** All simulated screens share it: a thread each would cost more than their pictures. */
const encoder = new PictureEncoder();

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
  | { readonly kind: "key"; readonly keysym: number; readonly down: boolean }
  | { readonly kind: "open"; readonly program: string; readonly ifOpen: "use" | "restart" };

const pointerColor = 0xffffcc00;
const pointerPixels = 8;
const pointerSide = 2 * pointerPixels + 1;
const pointerShape = Uint32Array.from({ length: pointerSide ** 2 }, (_, at) => {
  const besideX = Math.abs((at % pointerSide) - pointerPixels);
  const besideY = Math.abs(Math.floor(at / pointerSide) - pointerPixels);
  return besideX + besideY <= pointerPixels ? pointerColor : 0;
});

function pointerAt({ x, y }: Point): PointerPicture {
  const corner = { x: x - pointerPixels, y: y - pointerPixels };
  return { ...corner, width: pointerSide, height: pointerSide, argb: pointerShape };
}

async function really(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal });
}

export interface SimulatedScreenOptions {
  readonly desk?: DeskInput;
  readonly exportTo?: (path: string, text: string) => Promise<void>;
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class SimulatedScreen implements Screen {
  readonly osInfo = "simulated desktop (no real display)";
  readonly programs = deskPrograms.map(({ name }) => name);
  readonly #size: Size;
  readonly desk: Desk;
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  #pointer: Point;
  #events: SimulatedEvent[] = [];
  readonly #held = new Set<number | MouseButton>();
  #inputs = 0;
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #blinking: Blinking;
  /** The frame is kept because allocating 4 MB takes longer than drawing in them. */
  readonly #later: Frame;

  constructor({ desk = {}, exportTo, now = Date.now, sleep = really }: SimulatedScreenOptions = {}) {
    const options = DeskOptions.parse(desk);
    const { size } = options;
    this.#size = size;
    this.#now = now;
    this.#blinking = new Blinking(now);
    this.#sleep = sleep;
    this.#later = { ...size, pixels: new Uint8Array(size.width * size.height * 4) };
    this.#pointer = { x: Math.floor(size.width / 2), y: Math.floor(size.height / 2) };
    this.desk = new Desk(options, this.#pointer, { now, exportTo });
  }

  get events(): readonly SimulatedEvent[] {
    return this.#events;
  }

  async getDisplayDimensions(): Promise<Size> {
    return this.#size;
  }

  async takeScreenshot(input: InputOf<"takeScreenshot">, signal: AbortSignal): Promise<Screenshot> {
    const { width, height, cursor, settle_ms: settleMs } = input;
    const { frame, isSettled } = await this.#captureStill({ settleMs, quietMs }, signal);
    const pointer = cursor ? pointerAt(this.#pointer) : undefined;
    return { png: await encoder.encode(frame, { width, height, pointer }, signal), isSettled };
  }

  async watch(input: WatchInput, signal: AbortSignal): Promise<WatchedScreen> {
    let inputs = 0;
    let due: number | undefined;
    const display: WatchedDisplay = {
      capture: async (stillness) => {
        inputs = this.#inputs;
        due = this.desk.nextChange(this.#now());
        return await this.#captureStill(stillness, signal);
      },
      pointer: async () => pointerAt(this.#pointer),
      drawn: async (ms) => {
        const leftMs = Math.min(ms, (due ?? Infinity) - this.#now());
        if (this.#inputs === inputs && leftMs > 0) await this.#sleepUntilInput(leftMs, signal);
        return this.#inputs !== inputs || (due !== undefined && this.#now() >= due);
      },
      now: this.#now,
      sleep: this.#sleep,
    };
    return await watchScreen(display, { encoder, blinking: this.#blinking }, input, signal);
  }

  async getMousePosition(): Promise<Point> {
    return this.#pointer;
  }

  async moveMouse(to: Point): Promise<void> {
    this.#record({ kind: "move", to: this.#moveTo(to) });
  }

  async clickMouse({ button, clicks, down, ...point }: InputOf<"clickMouse">): Promise<void> {
    this.#moveTo(pointOf(point));
    if (down !== undefined) this.#put(button, down);
    else for (let click = 0; click < clicks; click += 1) this.#click(button, () => {});
    await this.#idle();
  }

  async dragMouse({ button, ...drag }: InputOf<"dragMouse">): Promise<void> {
    const to = { x: drag.to_x, y: drag.to_y };
    requireInside(to, this.#size);
    this.#moveTo({ x: drag.start_x, y: drag.start_y });
    this.#click(button, () => this.#moveTo(to));
  }

  async scrollMouse({ direction, amount, ...point }: InputOf<"scrollMouse">): Promise<void> {
    if (amount === 0) return;
    this.#record({ kind: "scroll", direction, amount, at: this.#moveTo(pointOf(point)) });
    this.desk.scroll(direction, amount);
  }

  async typeText(input: InputOf<"typeText">): Promise<void> {
    const characters = charactersOf(input.text);
    this.#record({ kind: "type", text: characters.join("") });
    this.desk.type(characters);
    await this.#idle();
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
    await this.#idle();
  }

  async releaseHeld(): Promise<void> {
    for (const held of [...this.#held].reverse()) this.#put(held, false);
  }

  async copyToClipboard({ text }: InputOf<"copyToClipboard">): Promise<Readonly<Record<string, string>>> {
    await this.pressKeys({ text: copyKeys });
    return { [text]: this.desk.clipboard };
  }

  /** Only the opening takes time on the desk, which is still once the window is there. */
  async openProgram(
    { program, if_open: ifOpen }: InputOf<"openProgram">,
    signal: AbortSignal,
  ): ResultOf<"openProgram"> {
    requireListed(deskPrograms, program);
    const wasOpen = this.desk.openProgram(ifOpen);
    this.#record({ kind: "open", program, ifOpen });
    const endsAt = this.#now() + programOpenMsMax;
    while (!this.desk.isOpen && this.#now() < endsAt) await this.#sleep(quietMs, signal);
    return { was_open: wasOpen, is_shown: this.desk.isOpen };
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
    if (typeof input === "number") {
      this.#record({ kind: "key", keysym: input, down });
      this.desk.key(input, down);
    } else {
      this.#record({ kind: "button", button: input, down, at: this.#pointer });
      this.desk.button(input, down);
    }
  }

  /** What the program does for an input may take until after it. */
  async #idle(): Promise<void> {
    await this.desk.idle;
    this.#noteInput();
  }

  #noteInput(): void {
    this.#inputs += 1;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async #sleepUntilInput(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const sleeping = this.#sleep(ms, AbortSignal.any([signal, woken.signal]));
    await Promise.race([sleeping, this.#wake.promise]);
    woken.abort();
    await sleeping.catch(() => undefined);
    signal.throwIfAborted();
  }

  #record(event: SimulatedEvent): void {
    this.#noteInput();
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events = this.#events.slice(-eventsMax);
  }

  #moveTo(to: Point | undefined): Point {
    if (to === undefined) return this.#pointer;
    requireInside(to, this.#size);
    this.#pointer = to;
    this.desk.move(to);
    return to;
  }

  /** The desk can draw the picture of `quietMs` later at once, so a still desk needs no wait. */
  async #captureStill({ settleMs, quietMs }: Stillness, signal: AbortSignal): Promise<StillFrame> {
    const endsAt = this.#now() + settleMs;
    const { width, height } = this.#size;
    const frame: Frame = { width, height, pixels: encoder.takeMemory(width * height * 4) };
    for (;;) {
      const now = this.#now();
      this.desk.draw(wordsOf(frame), now);
      const changesAt = this.desk.nextChange(now) ?? Number.POSITIVE_INFINITY;
      if (settleMs === 0 || changesAt > now + quietMs) return { frame, isSettled: true };
      this.desk.draw(wordsOf(this.#later), now + quietMs);
      if (areSame(frame, this.#later)) return { frame, isSettled: true };
      if (now + quietMs > endsAt) return { frame, isSettled: false };
      await this.#sleep(quietMs, signal);
    }
  }
}
