/** The time by which executions wait, with timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls once, at that time or as soon as possible after it; the function returned cancels the call. */
  at(timeMs: number, call: () => void): () => void;
}

interface Timer {
  readonly timeMs: number;
  readonly call: () => void;
}

/** The longest delay of Node's timers; a later call is scheduled again when it ends. */
const pauseMsMax = 2 ** 31 - 1;

/** This machine's time, which a test may put forward, or one that stands still but for that. */
export class SkippableClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #startedAtMs: number | undefined;
  #skippedMs = 0;
  #next: NodeJS.Timeout | undefined;

  /** @param startedAtMs of a clock that stands still. @default this machine's time, which goes on */
  constructor(startedAtMs?: number) {
    this.#startedAtMs = startedAtMs;
  }

  now(): number {
    return (this.#startedAtMs ?? Date.now()) + this.#skippedMs;
  }

  at(timeMs: number, call: () => void): () => void {
    const timer = { timeMs, call };
    this.#timers.add(timer);
    this.#wait();
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Puts the clock forward; calls that fall due on the way are made in order, each at its own time. */
  skip(ms: number): void {
    const endMs = this.now() + ms;
    for (;;) {
      const timer = this.#earliest();
      if (timer === undefined || timer.timeMs > endMs) break;
      this.#skippedMs += Math.max(0, timer.timeMs - this.now());
      this.#fire(timer);
    }
    this.#skippedMs += Math.max(0, endMs - this.now());
    this.#wait();
  }

  stop(): void {
    this.#timers.clear();
    clearTimeout(this.#next);
  }

  #earliest(): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of this.#timers) if (found === undefined || timer.timeMs < found.timeMs) found = timer;
    return found;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.call();
  }

  #wait(): void {
    if (this.#startedAtMs !== undefined) return;
    clearTimeout(this.#next);
    const timer = this.#earliest();
    if (timer === undefined) return;
    const pauseMs = Math.min(pauseMsMax, Math.max(0, timer.timeMs - this.now()));
    this.#next = setTimeout(() => {
      if (this.#timers.has(timer) && timer.timeMs <= this.now()) this.#fire(timer);
      this.#wait();
    }, pauseMs).unref();
  }
}
