import { setTimeout as sleep } from "node:timers/promises";
import x11 from "x11";
import type { DisplayConnection } from "./display-connection.ts";

/** A program that has not answered by then hangs; what is typed into it waits in its queue. */
const pingMsMax = 2_000;
const afterPingMs = 10;
/** For programs that answer no ping. */
const blindWaitMs = 150;
const depthMax = 32;

/**
 * The program that has the keyboard, and how to wait until it has read what was sent so far.
 *
 * A program translates a key by the keyboard map of the moment in which it gets to the event, not of the one in which
 * the key was pressed. So a map must not change before the keys are read, and no key be pressed before the map is.
 * Toolkits answer a ping (`_NET_WM_PING`) in the order of their events; the others get a fixed time.
 *
 * Source: https://specifications.freedesktop.org/wm-spec/latest/, "_NET_WM_PING".
 */
export class FocusedProgram {
  readonly #connection: DisplayConnection;
  readonly #atoms: { readonly protocols: number; readonly ping: number };
  #pings = 0;

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

  /** Waits until the program has got to what was sent to the display before. */
  async catchUp(): Promise<void> {
    const window = await this.#windowThatAnswers();
    const hasAnswered = window !== undefined && (await this.#ping(window));
    await sleep(hasAnswered ? afterPingMs : blindWaitMs);
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
    void this.#connection.closed.then(() => answered.resolve(false));
    const onlyTheOwner = 0;
    client.SendClientMessage(
      window,
      window,
      this.#atoms.protocols,
      32,
      [this.#atoms.ping, id, window],
      onlyTheOwner,
    );
    try {
      await this.#connection.sync();
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  /** The focused window or the one around it that says it answers pings. */
  async #windowThatAnswers(): Promise<number | undefined> {
    const { client, root } = this.#connection;
    try {
      const { focus } = await this.#connection.ask<{ readonly focus: number }>((reply) =>
        client.GetInputFocus(reply),
      );
      const pointerRoot = 1;
      let window = focus === pointerRoot ? await this.#windowUnderPointer() : focus;
      for (let depth = 0; depth < depthMax && window > pointerRoot && window !== root; depth += 1) {
        if ((await this.#protocolsOf(window)).includes(this.#atoms.ping)) return window;
        const current = window;
        const { parent } = await this.#connection.ask<{ readonly parent: number }>((reply) =>
          client.QueryTree(current, reply),
        );
        window = parent;
      }
    } catch (error) {
      // A window that closed meanwhile.
      if (!this.#connection.isOpen) throw error;
    }
    return undefined;
  }

  /** With PointerRoot as focus the keys go to the window under the pointer; its top is enough. */
  async #windowUnderPointer(): Promise<number> {
    const { child } = await this.#connection.ask<{ readonly child: number }>((reply) =>
      this.#connection.client.QueryPointer(this.#connection.root, reply),
    );
    return child;
  }

  async #protocolsOf(window: number): Promise<readonly number[]> {
    const atomType = 4;
    const { data } = await this.#connection.ask<{ readonly data: Buffer }>((reply) =>
      this.#connection.client.GetProperty(0, window, this.#atoms.protocols, atomType, 0, 64, reply),
    );
    return Array.from({ length: data.byteLength / 4 }, (_, index) => data.readUInt32LE(index * 4));
  }

  /** What the root window has to be asked for, so that the answers to pings are heard. */
  static readonly eventMask = x11.eventMask.SubstructureNotify;
}
