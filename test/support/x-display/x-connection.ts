import { EventEmitter } from "node:events";
import { createRequire } from "node:module";

/** An event as the server sent it; the fields of other events are undefined. */
export interface XEvent {
  readonly name: string;
  readonly wid: number;
  readonly keycode: number;
  readonly buttons: number;
  readonly time: number;
  readonly rootx: number;
  readonly rooty: number;
  readonly message_type: number;
  readonly data: readonly number[];
}

interface Extension {
  FakeInput(type: number, detail: number, delay: number, window: number, x: number, y: number): void;
  LatchLockState(...values: readonly (number | boolean)[]): void;
}

type Callback = (error: Error | null, result: unknown) => boolean;

interface XClient extends EventEmitter {
  readonly stream: { pause(): void; resume(): void };
  AllocID(): number;
  require(extension: string, callback: (error: Error | null, extension: Extension) => void): void;
  close(callback: () => void): void;
}

interface XServer {
  readonly client: XClient & Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  readonly screen: readonly { readonly root: number }[];
  readonly min_keycode: number;
  readonly max_keycode: number;
}

const x11 = createRequire(import.meta.url)("x11") as {
  createClient(
    options: { readonly display: string },
    callback: (error: Error | null, server: XServer) => void,
  ): EventEmitter;
  readonly keySyms: Readonly<Record<string, { readonly code: number }>>;
};

/** X's number for a name such as `Shift_L`. */
export function keysymOfName(name: string): number {
  const keysym = x11.keySyms[`XK_${name}`]?.code;
  if (keysym === undefined) throw new Error(`no keysym is called ${name}`);
  return keysym;
}

async function extensionOf(client: XClient, name: string): Promise<Extension> {
  return await new Promise((resolve, reject) => {
    client.require(name, (error, extension) => (error ? reject(error) : resolve(extension)));
  });
}

export class XConnection extends EventEmitter<{ event: [XEvent] }> {
  readonly root: number;
  readonly keycodes: { readonly first: number; readonly count: number };
  readonly #client: XServer["client"];
  readonly #xtest: Extension;

  private constructor(server: XServer, xtest: Extension) {
    super();
    this.#client = server.client;
    this.#xtest = xtest;
    this.root = server.screen[0]?.root ?? 0;
    this.keycodes = { first: server.min_keycode, count: server.max_keycode - server.min_keycode + 1 };
    this.#client.on("event", (event: XEvent) => this.emit("event", event));
    this.#client.on("error", () => undefined);
  }

  static async open(display: string): Promise<XConnection> {
    const server = await new Promise<XServer>((resolve, reject) => {
      const client = x11.createClient({ display }, (error, made) => (error ? reject(error) : resolve(made)));
      client.once("error", reject);
    });
    return new XConnection(server, await extensionOf(server.client, "xtest"));
  }

  makeId(): number {
    return this.#client.AllocID();
  }

  send(request: string, ...args: readonly unknown[]): void {
    this.#client[request]?.(...args);
  }

  async ask<Reply>(request: string, ...args: readonly unknown[]): Promise<Reply> {
    return await new Promise((resolve, reject) => {
      const callback: Callback = (error, reply) => {
        if (error) reject(error);
        else resolve(reply as Reply);
        return true;
      };
      this.#client[request]?.(...args, callback);
    });
  }

  async atom(name: string): Promise<number> {
    return await this.ask<number>("InternAtom", false, name);
  }

  async sync(): Promise<void> {
    await this.ask("GetInputFocus");
  }

  key(keycode: number, isDown: boolean): void {
    this.#xtest.FakeInput(isDown ? 2 : 3, keycode, 0, 0, 0, 0);
  }

  button(button: number, isDown: boolean): void {
    this.#xtest.FakeInput(isDown ? 4 : 5, button, 0, 0, 0, 0);
  }

  movePointer(x: number, y: number): void {
    this.#xtest.FakeInput(6, 0, 0, 0, x, y);
  }

  /** Makes one of the keyboard's layouts, counted from 0, the current one. */
  async lockGroup(group: number): Promise<void> {
    // XKB is loaded only now, because a client that uses it gets no events of changes of the core keyboard map.
    const xkb = await extensionOf(this.#client, "xkb");
    const coreKeyboard = 0x100;
    xkb.LatchLockState(coreKeyboard, 0, 0, true, group, 0, 0, false, 0);
  }

  async askRandr<Reply>(request: string, ...args: readonly unknown[]): Promise<Reply> {
    const randr = await this.#randr();
    return await new Promise((resolve, reject) => {
      randr[request]?.(...args, (error: Error | null, reply: Reply) => {
        if (error) reject(error);
        else resolve(reply);
        return true;
      });
    });
  }

  async sendRandr(request: string, ...args: readonly unknown[]): Promise<void> {
    (await this.#randr())[request]?.(...args);
  }

  /** Reads nothing from the server until `resume`, like a busy program. */
  pause(): void {
    this.#client.stream.pause();
  }

  resume(): void {
    this.#client.stream.resume();
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#client.close(resolve));
  }

  async #randr(): Promise<Readonly<Record<string, (...args: readonly unknown[]) => void>>> {
    return (await extensionOf(this.#client, "randr")) as never;
  }
}
