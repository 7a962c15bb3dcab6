import { setTimeout as sleep } from "node:timers/promises";
import type { Damage } from "x11";
import type { DisplayConnection } from "./display-connection.ts";

const everything = 0;

/** Where the server does not report drawing, a watched screen is captured again this often. */
const unreportedMs = 250;

/** Where the server does not report drawing, everything counts as drawn. */
export class Drawn {
  readonly #connection: DisplayConnection;
  readonly #damage: Damage | undefined;
  readonly #id: number;
  readonly #stop: () => void;
  #hasDrawn = false;
  #wake: () => void = () => {};

  private constructor(connection: DisplayConnection, damage: Damage | undefined) {
    this.#connection = connection;
    this.#damage = damage;
    this.#id = connection.client.AllocID();
    this.#stop = connection.onEvent(({ name }) => {
      if (name !== "DamageNotify") return;
      this.#hasDrawn = true;
      this.#wake();
    });
    damage?.Create(this.#id, connection.root, damage.ReportLevel.NonEmpty);
  }

  static async on(connection: DisplayConnection): Promise<Drawn> {
    return new Drawn(connection, await connection.findExtension("damage"));
  }

  forget(): void {
    this.#hasDrawn = this.#damage === undefined;
    this.#damage?.Subtract(this.#id, everything, everything);
  }

  async within(ms: number, signal: AbortSignal): Promise<boolean> {
    await sleep(ms, undefined, { signal });
    await this.#connection.sync();
    return this.#hasDrawn;
  }

  /** Resolves as soon as something is drawn, to false after the time. A connection that ends counts as drawn. */
  async soon(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#damage === undefined) return await this.within(Math.min(ms, unreportedMs), signal);
    if (this.#hasDrawn) return true;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    void this.#connection.closed.then(this.#wake);
    try {
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) });
      return false;
    } catch (error) {
      if (signal.aborted) throw error;
      return true;
    }
  }

  close(): void {
    this.#stop();
    if (!this.#connection.isOpen) return;
    this.#damage?.Destroy(this.#id);
    this.#connection.client.ReleaseID(this.#id);
  }
}
