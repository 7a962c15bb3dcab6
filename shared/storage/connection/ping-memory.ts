import { pingNotedEveryMs } from "../../domain/connection/ping-turn.ts";
import { remember } from "./remember.ts";

export class PingMemory {
  readonly #heardMs = new Map<string, number>();
  readonly #currentMs = new Map<string, number>();

  /** Returns the time of the socket's previous ping. */
  hear(websocketId: string, nowMs: number): number | undefined {
    const before = this.#heardMs.get(websocketId);
    remember(this.#heardMs, websocketId, nowMs);
    return before;
  }

  noteCurrent(websocketId: string, nowMs: number): void {
    remember(this.#currentMs, websocketId, nowMs);
  }

  isCurrent(websocketId: string, nowMs: number): boolean {
    const notedMs = this.#currentMs.get(websocketId);
    return notedMs !== undefined && nowMs - notedMs < pingNotedEveryMs;
  }

  forget(websocketId: string): void {
    this.#currentMs.delete(websocketId);
  }
}
