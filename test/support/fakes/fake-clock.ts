import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../shared/domain/clock.ts";

/** Time stands still until a test moves it, or until something sleeps: sleeping takes no real time. */
export class FakeClock implements Clock {
  #now: number;

  constructor(startMs: number = Date.UTC(2026, 0, 15, 12)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number): Promise<void> {
    const until = this.#now + ms;
    await setImmediate();
    this.#now = Math.max(this.#now, until);
  }
}
