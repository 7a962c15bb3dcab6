import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { until } from "../stack/until.ts";
import { keysymOfName, XConnection } from "./x-connection.ts";

const programNames = ["Xvfb", "setxkbmap", "xterm", "zenity", "chromium"];

/** Programs for tests of real displays that this machine lacks; tests that need one are skipped. */
export const missingDisplayPrograms: readonly string[] = programNames.filter(
  (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0,
);

export interface Keymap {
  readonly keysyms: readonly (readonly number[])[];
  readonly modifiers: readonly (readonly number[])[];
}

export interface Layout {
  readonly layout: string;
  readonly variant?: string;
  readonly group?: number;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A display in memory, 1280x800 by default, without a window manager; `close` ends programs started on it. */
export class XDisplay {
  /** The display's name, such as `:7`. */
  readonly name: string;
  readonly connection: XConnection;
  readonly #server: ChildProcess;
  readonly #programs: ChildProcess[] = [];

  private constructor(name: string, server: ChildProcess, connection: XConnection) {
    this.name = name;
    this.#server = server;
    this.connection = connection;
  }

  /**
   * @param name of a display that was closed, to have a new server under it.
   * @param more arguments of the server.
   */
  static async open(
    width = 1280,
    height = 800,
    name?: string,
    more: readonly string[] = [],
  ): Promise<XDisplay> {
    // -noreset: the server would begin anew, pointer and all, whenever its last client leaves.
    const screen = ["-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"];
    const args = [...(name === undefined ? [] : [name]), "-displayfd", "3", ...screen, ...more];
    const server = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const pipe = server.stdio[3];
    if (pipe === null || pipe === undefined) throw new Error("no pipe to the X server");
    const [number] = await once(pipe, "data");
    const opened = `:${String(number).trim()}`;
    return new XDisplay(opened, server, await XConnection.open(opened));
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, DISPLAY: this.name, LC_ALL: "C.UTF-8" };
  }

  /** Starts a program that `close` ends. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(program, args, {
      env: { ...this.env, ...env },
      stdio: "ignore",
    });
    this.#programs.push(child);
    return child;
  }

  async windows(): Promise<readonly number[]> {
    const { children } = await this.connection.ask<{ children: number[] }>("QueryTree", this.connection.root);
    const isShown = await Promise.all(
      children.map(async (window) => {
        const found = this.connection.ask<{ mapState: number; overrideRedirect: number }>(
          "GetWindowAttributes",
          window,
        );
        const attributes = await found.catch(() => undefined);
        return attributes?.mapState === 2 && attributes.overrideRedirect === 0;
      }),
    );
    return children.filter((_, at) => isShown[at]);
  }

  /** The window that `start` opens. */
  async openWindow<T>(
    start: () => T | Promise<T>,
  ): Promise<{ readonly window: number; readonly started: T }> {
    const before = await this.windows();
    const started = await start();
    let window: number | undefined;
    await until(async () => {
      window = (await this.windows()).find((one) => !before.includes(one));
      return window !== undefined;
    }, 20_000);
    if (window === undefined) throw new Error("no window was opened");
    return { window, started };
  }

  async focus(window: number): Promise<void> {
    this.connection.send("RaiseWindow", window);
    this.connection.send("SetInputFocus", window, 1);
    await this.connection.sync();
  }

  async setLayout({ layout, variant = "", group = 0 }: Layout): Promise<void> {
    const child = spawn("setxkbmap", ["-display", this.name, "-layout", layout, "-variant", variant], {
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`setxkbmap ended with ${code}`);
    await this.connection.lockGroup(group);
    await this.connection.sync();
  }

  async keymap(): Promise<Keymap> {
    const { first, count } = this.connection.keycodes;
    return {
      keysyms: await this.connection.ask("GetKeyboardMapping", first, count),
      modifiers: await this.connection.ask("GetModifierMapping"),
    };
  }

  async modifiers(): Promise<number> {
    const buttons = 0x1f00;
    const { keyMask } = await this.connection.ask<{ keyMask: number }>("QueryPointer", this.connection.root);
    return keyMask & ~buttons;
  }

  async keycodeOf(keysymName: string): Promise<number> {
    const { keysyms } = await this.keymap();
    const at = keysyms.findIndex((row) => row.includes(keysymOfName(keysymName)));
    if (at === -1) throw new Error(`no key has ${keysymName}`);
    return at + this.connection.keycodes.first;
  }

  async press(...keysymNames: readonly string[]): Promise<void> {
    await this.hold(...keysymNames);
    await this.release(...keysymNames.toReversed());
  }

  async hold(...keysymNames: readonly string[]): Promise<void> {
    for (const name of keysymNames) this.connection.key(await this.keycodeOf(name), true);
    await this.connection.sync();
  }

  async release(...keysymNames: readonly string[]): Promise<void> {
    for (const name of keysymNames) this.connection.key(await this.keycodeOf(name), false);
    await this.connection.sync();
  }

  async click(x: number, y: number): Promise<void> {
    this.connection.movePointer(x, y);
    this.connection.button(1, true);
    this.connection.button(1, false);
    await this.connection.sync();
  }

  async close(): Promise<void> {
    for (const program of this.#programs) await end(program);
    await this.connection.close();
    await end(this.#server);
  }
}
