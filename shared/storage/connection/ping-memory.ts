import { pingNotedEveryMs } from "../../domain/connection/ping-turn.ts";
import { remember } from "./remember.ts";

/** One instance's memory of the sockets whose pings it hears. */
export class PingMemory {
  readonly #heardMs = new Map<string, number>();
  readonly #currentMs = new Map<string, number>();

  /** @returns when it heard the ping before. */
  hear(websocketId: string, nowMs: number): number | undefined {
    const before = this.#heardMs.get(websocketId);
    remember(this.#heardMs, websocketId, nowMs);
    return before;
  }

  /** It is its machine's current connection. */
  noteCurrent(websocketId: string, nowMs: number): void {
    remember(this.#currentMs, websocketId, nowMs);
  }

  isCurrent(websocketId: string, nowMs: number): boolean {
    const notedMs = this.#currentMs.get(websocketId);
    return notedMs !== undefined && nowMs - notedMs < pingNotedEveryMs;
  }

  /** Its connection has ended. */
  forget(websocketId: string): void {
    this.#currentMs.delete(websocketId);
  }
}
