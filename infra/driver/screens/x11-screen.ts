import { setTimeout as sleep } from "node:timers/promises";
import type { InputOf, ResultOf } from "../desktops/desktop-operations.ts";
import { type DriverLog, silentLog } from "../driver-log.ts";
import type { ListedProgram } from "../programs/listed-program.ts";
import { Blinking } from "./blinking.ts";
import { parseKeyGroups } from "./keysyms/key-groups.ts";
import { findKeysym } from "./keysyms/keysyms.ts";
import { charactersOf } from "./keysyms/typable.ts";
import type { Frame } from "./pictures/frame.ts";
import { PictureEncoder } from "./pictures/picture-encoder.ts";
import type { Point, Screen, Screenshot, Size, WatchedScreen, WatchInput } from "./screen.ts";
import {
  isWaiting,
  quietMs,
  type StillFrame,
  type Stillness,
  type WatchedDisplay,
  watchScreen,
} from "./watch-screen.ts";
import { DisplayUnavailable } from "./x11/display-connection.ts";
import { Drawn } from "./x11/drawn.ts";
import type { Monitors } from "./x11/monitors.ts";
import { ProgramOpener } from "./x11/programs/program-opener.ts";
import { SessionKeeper } from "./x11/session-keeper.ts";
import { captureStill } from "./x11/stillness.ts";
import { giveBackAll, openX11Session, type X11Session } from "./x11/x11-session.ts";

/** A program may set the clipboard some time after ctrl+c, or not at all. */
const copyWaitMs = 500;
const copyKeys = [["ctrl", "c"].map((name) => findKeysym(name) ?? 0)];

export interface X11ScreenOptions {
  readonly display: string;
  readonly log?: DriverLog;
  readonly programs?: readonly ListedProgram[];
}

/** Every action fails while the X server is gone, and works again once it is back. */
export class X11Screen implements Screen {
  readonly osInfo: string;
  readonly #sessions: SessionKeeper;
  readonly #encoder = new PictureEncoder();
  readonly #blinking = new Blinking(() => performance.now());
  readonly #opener: ProgramOpener;

  private constructor(osInfo: string, sessions: SessionKeeper, opener: ProgramOpener) {
    this.osInfo = osInfo;
    this.#sessions = sessions;
    this.#opener = opener;
  }

  /** @throws {DisplayUnavailable} */
  static async open({ display, log = silentLog, programs = [] }: X11ScreenOptions): Promise<X11Screen> {
    const sessions = new SessionKeeper(display, log);
    const { monitors } = await sessions.current();
    return new X11Screen(
      `${process.platform} ${process.arch}, X11 display ${display}, ${await describe(monitors)}`,
      sessions,
      new ProgramOpener(programs, display),
    );
  }

  get programs(): readonly string[] {
    return this.#opener.programs.map(({ name }) => name);
  }

  async getDisplayDimensions(): Promise<Size> {
    return (await this.#sessions.current()).monitors.size;
  }

  async takeScreenshot(input: InputOf<"takeScreenshot">, signal: AbortSignal): Promise<Screenshot> {
    const { width, height, settle_ms: settleMs, cursor } = input;
    const session = await this.#sessions.current();
    const { frame, isSettled } = await this.#captureStill(session, { settleMs, quietMs }, signal);
    const pointer = cursor ? await session.capture.pointer() : undefined;
    return { png: await this.#encoder.encode(frame, { width, height, pointer }, signal), isSettled };
  }

  async watch(input: WatchInput, signal: AbortSignal): Promise<WatchedScreen> {
    const session = await this.#sessions.current();
    const tools = { encoder: this.#encoder, blinking: this.#blinking };
    const common: Omit<WatchedDisplay, "capture" | "drawn"> = {
      pointer: () => session.capture.pointer(),
      now: () => performance.now(),
      sleep: async (ms) => await sleep(ms, undefined, { signal }),
    };
    if (!isWaiting(input)) {
      const capture = (stillness: Stillness) => this.#captureStill(session, stillness, signal);
      return await watchScreen({ ...common, capture, drawn: async () => false }, tools, input, signal);
    }
    const drawn = await Drawn.on(session.connection);
    const frame = () => this.#frame(session);
    const display: WatchedDisplay = {
      ...common,
      capture: (stillness) => captureStill({ drawn, capture: frame, stillness, signal }),
      drawn: (ms) => drawn.soon(ms, signal),
    };
    try {
      return await watchScreen(display, tools, input, signal);
    } finally {
      drawn.close();
    }
  }

  async getMousePosition(): Promise<Point> {
    return await (await this.#sessions.current()).pointer.position();
  }

  async moveMouse(to: Point): Promise<void> {
    await (await this.#sessions.current()).pointer.move(to);
  }

  async clickMouse(click: InputOf<"clickMouse">, signal: AbortSignal): Promise<void> {
    await (await this.#sessions.current()).pointer.click(click, signal);
  }

  async dragMouse(drag: InputOf<"dragMouse">, signal: AbortSignal): Promise<void> {
    await (await this.#sessions.current()).pointer.drag(drag, signal);
  }

  async scrollMouse(scroll: InputOf<"scrollMouse">, signal: AbortSignal): Promise<void> {
    await (await this.#sessions.current()).pointer.scroll(scroll, signal);
  }

  async typeText({ text }: InputOf<"typeText">, signal: AbortSignal): Promise<void> {
    const characters = charactersOf(text);
    await (await this.#sessions.current()).keyboard.type(characters, signal);
  }

  async pressKeys({ text, down }: InputOf<"pressKeys">, signal: AbortSignal): Promise<void> {
    const groups = parseKeyGroups(text);
    const { keyboard } = await this.#sessions.current();
    if (down === undefined) await keyboard.press(groups, signal);
    else if (down) await keyboard.hold(groups);
    else await keyboard.release(groups);
  }

  async copyToClipboard(
    { text }: InputOf<"copyToClipboard">,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const { keyboard, clipboard } = await this.#sessions.current();
    const { taken } = clipboard.untilTaken(copyWaitMs);
    await keyboard.press(copyKeys, signal);
    await taken;
    return { [text]: await clipboard.read() };
  }

  async openProgram(input: InputOf<"openProgram">, signal: AbortSignal): ResultOf<"openProgram"> {
    const session = await this.#sessions.current();
    const display = {
      windows: session.windows,
      settle: async (ms: number) =>
        void (await this.#captureStill(session, { settleMs: ms, quietMs }, signal)),
    };
    return await this.#opener.open(display, input, signal);
  }

  async #captureStill(session: X11Session, stillness: Stillness, signal: AbortSignal): Promise<StillFrame> {
    const capture = () => this.#frame(session);
    if (stillness.settleMs === 0) return { frame: await capture(), isSettled: false };
    const drawn = await Drawn.on(session.connection);
    try {
      return await captureStill({ drawn, capture, stillness, signal });
    } finally {
      drawn.close();
    }
  }

  #frame({ capture, monitors }: X11Session): Promise<Frame> {
    return capture.frame(monitors.size, (bytes) => this.#encoder.takeMemory(bytes));
  }

  async releaseHeld(): Promise<void> {
    const session = this.#sessions.open;
    if (session !== undefined) await giveBackAll(session);
  }

  async close(): Promise<void> {
    this.#sessions.close();
    await this.#encoder.close();
  }
}

async function describe(monitors: Monitors): Promise<string> {
  const { width, height } = monitors.size;
  const [scale, { length: count }] = await Promise.all([monitors.scale(), monitors.areas()]);
  return `${width}x${height}, scale ${scale}, ${count > 1 ? `${count} monitors` : "1 monitor"}`;
}

/** @returns one sentence that says what is missing, or undefined. */
export async function findX11Problem(display: string): Promise<string | undefined> {
  try {
    const { connection } = await openX11Session(display);
    connection.close();
    return undefined;
  } catch (error) {
    if (error instanceof DisplayUnavailable) return error.message;
    throw error;
  }
}
