/** Time as the driver sees it; tests pass one that they move by hand. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after the delay; the function returned cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
