import type { Clock } from "../../shared/domain/clock.ts";

/** `answer` is a response to a request of ours; all else that a driver says is rare. */
export type FrameKind = "answer" | "other";

/**
 * Frames of one connection in a window of 60 s, as one instance of this function counts them. A driver says hello
 * once and pings every five minutes; one that answers calls as fast as they come, four at a time, stays far below
 * the second number.
 */
export const framesPerMinute: Readonly<Record<FrameKind, number>> = { answer: 6_000, other: 60 };

const windowMs = 60_000;
const connectionsMax = 10_000;

/**
 * Keeps one connection from using up what all share. Counted in memory: a counter in the table would cost what it
 * is to save, and each instance seeing only a part of a flood still ends it soon.
 */
export class FrameBudget {
  readonly #clock: Pick<Clock, "now">;
  #counts = new Map<string, Record<FrameKind, number>>();
  #windowEndsMs = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Counts one frame; `last` exactly once a window, for the first one too many. */
  take(websocketId: string, kind: FrameKind): "allowed" | "last" | "refused" {
    const nowMs = this.#clock.now();
    if (nowMs >= this.#windowEndsMs || this.#counts.size >= connectionsMax) {
      this.#counts = new Map();
      this.#windowEndsMs = nowMs + windowMs;
    }
    const counts = this.#counts.get(websocketId) ?? { answer: 0, other: 0 };
    counts[kind] += 1;
    this.#counts.set(websocketId, counts);
    const over = counts[kind] - framesPerMinute[kind];
    return over <= 0 ? "allowed" : over === 1 ? "last" : "refused";
  }
}
