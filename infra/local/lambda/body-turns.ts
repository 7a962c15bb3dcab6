import { bodiesAtOnce, largeBodyBytes } from "./limits.ts";

/**
 * Reading a large body takes a processor, of which each environment has its own on AWS. Here the bodies take turns, which
 * leaves a processor to all other requests.
 */
export class BodyTurns {
  readonly #turnMs: (bytes: number) => number;
  readonly #waiting: (() => void)[] = [];
  #free = bodiesAtOnce;

  constructor(turnMs: (bytes: number) => number) {
    this.#turnMs = turnMs;
  }

  /** @returns what ends the turn, which ends by itself after its time. */
  async take(bytes: number): Promise<() => void> {
    if (bytes < largeBodyBytes) return () => undefined;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
    const timer = setTimeout(end, this.#turnMs(bytes));
    return end;
  }
}
