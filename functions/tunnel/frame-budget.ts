import type { Clock } from "../../shared/domain/clock.ts";

/** `answer` is a response to a request of the service; other frames are rare. */
export type FrameKind = "answer" | "other";

/**
 * Frames per connection in a window of 60 s, as counted by one instance of this function. A driver says hello once and
 * pings every five minutes; one that answers calls at full speed, four at a time, stays far below the second number.
 */
export const framesPerMinute: Readonly<Record<FrameKind, number>> = { answer: 6_000, other: 60 };

const windowMs = 60_000;
const connectionsMax = 10_000;

/**
 * Keeps one connection from exhausting shared capacity. Counted in memory: a counter in the table would cost what it
 * saves, and although each instance sees only part of a flood, it still ends soon.
 */
export class FrameBudget {
  readonly #clock: Pick<Clock, "now">;
  #counts = new Map<string, Record<FrameKind, number>>();
  #windowEndsMs = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Counts one frame; `last` once per window, for the first frame over the limit. */
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
