import { setTimeout as sleep } from "node:timers/promises";
import x11 from "x11";
import { type DisplayConnection, wordsIn } from "./display-connection.ts";
import { untilAtRest } from "./program-at-rest.ts";

/** GTK and Chromium answer within 1 ms, and within 750 ms while four other programs keep two cores busy. */
const pingMsMax = 1_500;
/** On busy cores xterm needs 10 ms, Java 200 ms and Qt 300 ms to read keys. */
const blindWaitMs = 300;
/** Chromium needs 1 ms from a change of the map to the first key, the others none. */
const afterChangeMs = 20;
const depthMax = 32;
const pointerRoot = 1;
const silentMax = 100;

/**
 * A program looks a key up in the map that the server has when it reads the event, so the map must not change
 * before that. GTK and Chromium answer a ping (`_NET_WM_PING`) in the order of their events; xterm, Qt and Java
 * are waited for until they rest; all others get a fixed time. The numbers were measured.
 *
 * Source: https://specifications.freedesktop.org/wm-spec/latest/, "_NET_WM_PING".
 */
export class FocusedProgram {
  readonly #connection: DisplayConnection;
  readonly #atoms: { readonly protocols: number; readonly ping: number };
  #pings = 0;
  #silent: readonly number[] = [];

  private constructor(connection: DisplayConnection, protocols: number, ping: number) {
    this.#connection = connection;
    this.#atoms = { protocols, ping };
  }

  static async of(connection: DisplayConnection): Promise<FocusedProgram> {
    const [protocols, ping] = await Promise.all([
      connection.atom("WM_PROTOCOLS"),
      connection.atom("_NET_WM_PING"),
    ]);
    return new FocusedProgram(connection, protocols, ping);
  }

  async hearOfChange(): Promise<void> {
    await this.#connection.sync();
    await sleep(afterChangeMs);
  }

  async readKeys(): Promise<void> {
    const { focused, answering } = await this.#findWindows();
    if (answering !== undefined && (await this.#ping(answering))) return;
    // Qt claims to answer pings, and does not.
    if (answering !== undefined) this.#silent = [...this.#silent, answering].slice(-silentMax);
    const pid = focused <= pointerRoot ? undefined : await this.#connection.pidOf(focused);
    const isAtRest = pid !== undefined && (await untilAtRest(pid, () => this.#connection.sync()));
    if (!isAtRest) await sleep(blindWaitMs);
  }

  async #ping(window: number): Promise<boolean> {
    const { client } = this.#connection;
    this.#pings = (this.#pings + 1) % 0x7fff_ffff;
    const id = this.#pings;
    const answered = Promise.withResolvers<boolean>();
    const stop = this.#connection.onEvent(({ name, message_type, data }) => {
      const isAnswer = name === "ClientMessage" && message_type === this.#atoms.protocols;
      if (isAnswer && data?.[0] === this.#atoms.ping && data[1] === id) answered.resolve(true);
    });
    const timer = setTimeout(() => answered.resolve(false), pingMsMax);
    const onlyTheOwner = 0;
    const { protocols, ping } = this.#atoms;
    client.SendClientMessage(window, window, protocols, 32, [ping, id, window], onlyTheOwner);
    try {
      await this.#connection.sync();
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  async #findWindows(): Promise<{ readonly focused: number; readonly answering: number | undefined }> {
    const { client, root } = this.#connection;
    let focused = 0;
    try {
      const { focus } = await this.#connection.ask<{ readonly focus: number }>((reply) =>
        client.GetInputFocus(reply),
      );
      focused = focus === pointerRoot ? await this.#windowUnderPointer() : focus;
      let window = focused;
      for (let depth = 0; depth < depthMax && window > pointerRoot && window !== root; depth += 1) {
        if (this.#silent.includes(window)) break;
        if ((await this.#protocolsOf(window)).includes(this.#atoms.ping))
          return { focused, answering: window };
        const current = window;
        const { parent } = await this.#connection.ask<{ readonly parent: number }>((reply) =>
          client.QueryTree(current, reply),
        );
        window = parent;
      }
    } catch (error) {
      // The window closed meanwhile.
      if (!this.#connection.isOpen) throw error;
    }
    return { focused, answering: undefined };
  }

  /** With PointerRoot as focus the keys go to the window under the pointer; its topmost parent is enough. */
  async #windowUnderPointer(): Promise<number> {
    const { child } = await this.#connection.ask<{ readonly child: number }>((reply) =>
      this.#connection.client.QueryPointer(this.#connection.root, reply),
    );
    return child;
  }

  async #protocolsOf(window: number): Promise<readonly number[]> {
    const atomType = 4;
    return wordsIn(await this.#connection.property(window, this.#atoms.protocols, atomType, 64));
  }

  /** Answers to pings arrive as these events of the root window. */
  static readonly eventMask = x11.eventMask.SubstructureNotify;
}
