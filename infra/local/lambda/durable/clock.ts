export interface Clock {
  now(): number;
  /** The returned function cancels the call. */
  at(timeMs: number, call: () => void): () => void;
}

interface Timer {
  readonly timeMs: number;
  readonly call: () => void;
}

/** This is the longest delay of a Node timer; a call that is due later is scheduled again. */
const pauseMsMax = 2 ** 31 - 1;

export class SkippableClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #startedAtMs: number | undefined;
  #skippedMs = 0;
  #next: NodeJS.Timeout | undefined;

  /** @param startedAtMs makes a clock that only moves by `skip`. @default this machine's time */
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

  /** Calls that fall due on the way are made in order, each at its own time. */
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
