export interface Timing {
  now(): number;
  /** The returned function cancels the call. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
