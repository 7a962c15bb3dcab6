import { setTimeout as sleep } from "node:timers/promises";
import type { InputOf } from "../desktops/desktop-operations.ts";
import { ProgramFailed, type ProgramResult, runProgram } from "../run-program.ts";
import { parseKeyGroups } from "./keysyms/key-groups.ts";
import {
  type MouseButton,
  type Point,
  pointOf,
  requireInside,
  type Screen,
  type ScrollDirection,
  type Size,
} from "./screen.ts";

const buttons: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
/** What X calls the wheel. */
const wheelButtons: Readonly<Record<ScrollDirection, number>> = { up: 4, down: 5, left: 6, right: 7 };
/** Between wheel clicks: xdotool's own 12 ms would make 1,000 of them take 12 s. */
const wheelDelayMs = 2;
/** Between the clicks of a double click; toolkits take up to some 400 ms for one. */
const clickDelayMs = 40;
/** Between typed characters: 5,000 of them have to fit into the 25 s of a call. */
const typeDelayMs = 2;
const dragStepMs = 16;
/** A program fills the clipboard some time after ctrl+c. */
const copyWaitMs = 200;

export interface X11ScreenOptions {
  /** Such as `:0`. */
  readonly display: string;
}

/** An X display, driven by xdotool; screenshots by ImageMagick's `import`, the clipboard by xclip or xsel. */
export class X11Screen implements Screen {
  readonly osInfo: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  /** xdotool's commands that release what is held, in the order in which it went down. */
  readonly #releases = new Set<string>();

  constructor({ display }: X11ScreenOptions) {
    this.#env = { ...process.env, DISPLAY: display };
    this.osInfo = `${process.platform} ${process.arch}, X11 display ${display}`;
  }

  async getDisplayDimensions(_input: object, signal: AbortSignal): Promise<Size> {
    const { stdout } = await this.#xdotool(["getdisplaygeometry"], signal);
    const [width = Number.NaN, height = Number.NaN] = stdout.toString().trim().split(/\s+/).map(Number);
    if (!Number.isInteger(width) || !Number.isInteger(height)) {
      throw new ProgramFailed("xdotool answered no display geometry");
    }
    return { width, height };
  }

  async takeScreenshot(
    { width, height }: InputOf<"takeScreenshot">,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const isScaled = width !== undefined || height !== undefined;
    const exactly = width !== undefined && height !== undefined ? "!" : "";
    const size = `${width ?? ""}${height === undefined ? "" : `x${height}`}${exactly}`;
    const args = ["-silent", "-window", "root", ...(isScaled ? ["-resize", size] : []), "png:-"];
    const result = await runProgram("import", args, { env: this.#env, signal });
    if (result.exitCode !== 0) throw new ProgramFailed(`import ended with ${result.exitCode}`);
    return result.stdout;
  }

  async getMousePosition(_input: object, signal: AbortSignal): Promise<Point> {
    const { stdout } = await this.#xdotool(["getmouselocation --shell"], signal);
    const values = new Map(
      stdout
        .toString()
        .split("\n")
        .map((line) => [line.slice(0, 1), Number(line.slice(2))]),
    );
    const x = values.get("X");
    const y = values.get("Y");
    if (x === undefined || y === undefined) throw new ProgramFailed("xdotool answered no pointer position");
    return { x, y };
  }

  async moveMouse(to: Point, signal: AbortSignal): Promise<void> {
    await this.#xdotool(await this.#move(to, signal), signal);
  }

  async clickMouse(
    { button, clicks, down, ...point }: InputOf<"clickMouse">,
    signal: AbortSignal,
  ): Promise<void> {
    const press =
      down === undefined
        ? `click --repeat ${clicks} --delay ${clickDelayMs}`
        : down
          ? "mousedown"
          : "mouseup";
    const move = await this.#move(pointOf(point), signal);
    const release = `mouseup ${buttons[button]}`;
    if (down === true) this.#releases.add(release);
    await this.#xdotool([...move, `${press} ${buttons[button]}`], signal);
    if (down !== true) this.#releases.delete(release);
  }

  async dragMouse(drag: InputOf<"dragMouse">, signal: AbortSignal): Promise<void> {
    const from = { x: drag.start_x, y: drag.start_y };
    const to = { x: drag.to_x, y: drag.to_y };
    const seconds = drag.duration ?? 0;
    const button = buttons[drag.button];
    const steps = Math.max(2, Math.round((seconds * 1_000) / dragStepMs));
    const pause = seconds > 0 ? [`sleep ${(seconds / steps).toFixed(4)}`] : [];
    const path = Array.from({ length: steps }, (_, step) => {
      const share = (step + 1) / steps;
      const x = Math.round(from.x + (to.x - from.x) * share);
      const y = Math.round(from.y + (to.y - from.y) * share);
      return [...pause, `mousemove ${x} ${y}`];
    });
    const start = await this.#move(from, signal);
    await this.#move(to, signal);
    const release = `mouseup ${button}`;
    try {
      await this.#xdotool([...start, `mousedown ${button}`, ...path.flat(), release], signal);
    } catch (error) {
      // Nobody could work on a desktop whose button stays down.
      await this.#xdotool([release], AbortSignal.timeout(2_000)).catch(() => undefined);
      throw error;
    }
  }

  async scrollMouse(
    { direction, amount, ...point }: InputOf<"scrollMouse">,
    signal: AbortSignal,
  ): Promise<void> {
    if (amount === 0) return;
    const turn = `click --repeat ${amount} --delay ${wheelDelayMs} ${wheelButtons[direction]}`;
    await this.#xdotool([...(await this.#move(pointOf(point), signal)), turn], signal);
  }

  async typeText({ text }: InputOf<"typeText">, signal: AbortSignal): Promise<void> {
    const args = ["type", "--delay", String(typeDelayMs), "--file", "-"];
    const result = await runProgram("xdotool", args, { env: this.#env, stdin: text, signal });
    if (result.exitCode !== 0) throw new ProgramFailed(`xdotool ended with ${result.exitCode}`);
  }

  async pressKeys({ text, down }: InputOf<"pressKeys">, signal: AbortSignal): Promise<void> {
    const groups = parseKeyGroups(text).map((keys) => keys.map((keysym) => `0x${keysym.toString(16)}`));
    if (down === undefined) {
      await this.#xdotool(
        groups.map((keys) => `key ${keys.join("+")}`),
        signal,
      );
      return;
    }
    const keys = groups.flat();
    const releases = keys.map((key) => `keyup ${key}`);
    if (down) {
      for (const release of releases) this.#releases.add(release);
      await this.#xdotool(
        keys.map((key) => `keydown ${key}`),
        signal,
      );
    } else await this.#release(releases.reverse(), signal);
  }

  async releaseHeld(): Promise<void> {
    if (this.#releases.size === 0) return;
    await this.#release([...this.#releases].reverse(), AbortSignal.timeout(2_000));
  }

  async #release(releases: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#xdotool(releases, signal);
    for (const release of releases) this.#releases.delete(release);
  }

  async copyToClipboard(
    { text }: InputOf<"copyToClipboard">,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    await this.#xdotool(["key ctrl+c"], signal);
    await sleep(copyWaitMs, undefined, { signal });
    const { stdout, exitCode } = await this.#clipboard(signal);
    // Both programs end with 1 when the clipboard has no owner, or no text.
    return { [text]: exitCode === 0 ? stdout.toString() : "" };
  }

  async #clipboard(signal: AbortSignal): Promise<ProgramResult> {
    const env = this.#env;
    try {
      return await runProgram("xclip", ["-selection", "clipboard", "-o"], { env, signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof ProgramFailed)) throw error;
    }
    try {
      return await runProgram("xsel", ["--clipboard", "--output"], { env, signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof ProgramFailed)) throw error;
      throw new ProgramFailed(
        "neither xclip nor xsel is installed; one of them is needed to read the clipboard",
      );
    }
  }

  async #move(to: Point | undefined, signal: AbortSignal): Promise<readonly string[]> {
    if (to === undefined) return [];
    requireInside(to, await this.getDisplayDimensions({}, signal));
    return [`mousemove ${to.x} ${to.y}`];
  }

  /** All commands in one call, from standard input: arguments can be read by every user of the machine. */
  async #xdotool(commands: readonly string[], signal: AbortSignal): Promise<ProgramResult> {
    const stdin = `${commands.join("\n")}\n`;
    const result = await runProgram("xdotool", ["-"], { env: this.#env, stdin, signal });
    if (result.exitCode !== 0) throw new ProgramFailed(`xdotool ended with ${result.exitCode}`);
    return result;
  }
}

/**
 * Finds out whether a display can be driven.
 *
 * @returns one sentence that says what is missing, or undefined.
 */
export async function findX11Problem(display: string | undefined): Promise<string | undefined> {
  if (display === undefined || display === "") {
    return "there is no X display: set DISPLAY, pass --display, or use --simulated";
  }
  const missing: string[] = [];
  for (const [program, args] of [
    ["xdotool", ["version"]],
    ["import", ["-version"]],
  ] as const) {
    await runProgram(program, args).catch(() => missing.push(program));
  }
  if (missing.length > 0) {
    return `${missing.join(" and ")} not found: install the Debian packages xdotool, imagemagick and xclip`;
  }
  try {
    await new X11Screen({ display }).getDisplayDimensions({}, AbortSignal.timeout(5_000));
    return undefined;
  } catch {
    return `the X display ${display} does not answer: is it running, and may this user use it?`;
  }
}
