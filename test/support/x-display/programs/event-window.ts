import { setTimeout as pause } from "node:timers/promises";
import { keysymOfName, XConnection, type XEvent } from "../x-connection.ts";
import type { Keymap, XDisplay } from "../x-display.ts";

export interface InputEvent {
  readonly name: "KeyPress" | "KeyRelease" | "ButtonPress" | "ButtonRelease" | "MotionNotify";
  readonly detail: number;
  /** A key's keysym; 0 where the key has none. */
  readonly keysym: number;
  readonly x: number;
  readonly y: number;
  readonly time: number;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const shift = 1;
const capsLock = 2;
const level3 = 128;
const groupBits = 13;

const eventMask = 0x1 | 0x2 | 0x4 | 0x8 | 0x40;
const inputEvents = new Set(["KeyPress", "KeyRelease", "ButtonPress", "ButtonRelease", "MotionNotify"]);

function keysymOf(row: readonly number[], state: number): number {
  const group = (state >> groupBits) & 3;
  const base = (state & level3) !== 0 ? 4 : group * 2;
  const [small = 0, capital = 0] = row.slice(base, base + 2);
  const isLetter =
    String.fromCodePoint(small & 0xffffff).toUpperCase() !== String.fromCodePoint(small & 0xffffff);
  const isShifted = ((state & shift) !== 0) !== (isLetter && (state & capsLock) !== 0);
  return isShifted && capital !== 0 ? capital : small;
}

function characterOf(keysym: number): string {
  if (keysym === keysymOfName("Return")) return "\n";
  if (keysym === keysymOfName("Tab")) return "\t";
  if (keysym >= 0x01000000) return String.fromCodePoint(keysym - 0x01000000);
  return keysym < 0x100 ? String.fromCodePoint(keysym) : "";
}

/**
 * A program with a window that records its input. As toolkits do, it reads a change of the keymap when it gets to it,
 * and answers pings in the order of its events.
 */
export class EventWindow {
  readonly window: number;
  readonly #display: XDisplay;
  readonly #connection: XConnection;
  readonly #protocols: number;
  #events: InputEvent[] = [];
  #keymap: Keymap["keysyms"] = [];
  #work: Promise<void> = Promise.resolve();

  private constructor(display: XDisplay, connection: XConnection, window: number, protocols: number) {
    this.#display = display;
    this.#connection = connection;
    this.window = window;
    this.#protocols = protocols;
    connection.on("event", (event) => {
      this.#work = this.#work.then(() => this.#handle(event));
    });
  }

  static async open(
    display: XDisplay,
    { x, y, width, height }: Area = { x: 0, y: 0, width: 800, height: 600 },
  ): Promise<EventWindow> {
    const connection = await XConnection.open(display.name);
    const window = connection.makeId();
    const attributes = { eventMask, backgroundPixel: 0xffffff };
    connection.send("CreateWindow", window, connection.root, x, y, width, height, 0, 0, 0, 0, attributes);
    const protocols = await connection.atom("WM_PROTOCOLS");
    const ping = await connection.atom("_NET_WM_PING");
    const [replace, atom] = [0, 4];
    connection.send("ChangeProperty", replace, window, protocols, atom, 32, [ping]);
    const opened = new EventWindow(display, connection, window, protocols);
    await opened.#readKeymap();
    connection.send("MapWindow", window);
    await connection.sync();
    return opened;
  }

  /** All events since the window was opened or last cleared. */
  get events(): readonly InputEvent[] {
    return this.#events;
  }

  clear(): void {
    this.#events = [];
  }

  of(name: InputEvent["name"], detail?: number): readonly InputEvent[] {
    return this.#events.filter(
      (event) => event.name === name && (detail === undefined || event.detail === detail),
    );
  }

  get typed(): string {
    return this.of("KeyPress")
      .map(({ keysym }) => characterOf(keysym))
      .join("");
  }

  async focus(): Promise<void> {
    await this.#display.focus(this.window);
  }

  async settle(): Promise<void> {
    await this.#connection.sync();
    await this.#work;
  }

  async stall(milliseconds: number): Promise<void> {
    this.#connection.pause();
    await pause(milliseconds);
    this.#connection.resume();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #readKeymap(): Promise<void> {
    const { first, count } = this.#connection.keycodes;
    this.#keymap = await this.#connection.ask("GetKeyboardMapping", first, count);
  }

  async #handle(event: XEvent): Promise<void> {
    if (event.name === "MappingNotify") await this.#readKeymap();
    if (event.name === "ClientMessage" && event.message_type === this.#protocols) {
      const { root } = this.#connection;
      this.#connection.send("SendClientMessage", root, root, this.#protocols, 32, event.data);
    }
    if (!inputEvents.has(event.name)) return;
    const { name, keycode: detail, rootx: x, rooty: y, time, buttons } = event;
    const row = this.#keymap[detail - this.#connection.keycodes.first] ?? [];
    const keysym = name.startsWith("Key") ? keysymOf(row, buttons) : 0;
    this.#events.push({ name: name as InputEvent["name"], detail, keysym, x, y, time });
  }
}
