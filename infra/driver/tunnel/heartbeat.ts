import type { Timing } from "../timing.ts";

/** Time that a ping waits for any sign of life. */
const pongPatienceMs = 20_000;
/** Pings without an answer after which a connection is taken for dead. */
const unansweredPingsMax = 3;

export interface HeartbeatOptions {
  readonly timing: Timing;
  readonly intervalMs: number;
  readonly ping: (at: number) => void;
  readonly dead: () => void;
}

/** Pings in an interval, and detects a peer that is gone: a cut line closes no socket by itself. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #cancel = (): void => {};
  #unanswered = 0;
  #pingSentAt: number | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Pings at once, which also reads the service's clock. */
  start(): void {
    this.#ping();
  }

  /** Anything that arrives proves that the peer is alive. */
  sign(): void {
    if (this.#unanswered === 0) return;
    this.#unanswered = 0;
    this.#later(this.#options.intervalMs);
  }

  /** Takes the time of the last ping that has no pong yet. */
  takePingSentAt(): number | undefined {
    const sentAt = this.#pingSentAt;
    this.#pingSentAt = undefined;
    return sentAt;
  }

  stop(): void {
    this.#cancel();
  }

  #ping(): void {
    if (this.#unanswered >= unansweredPingsMax) {
      this.#options.dead();
      return;
    }
    this.#unanswered += 1;
    this.#pingSentAt = this.#options.timing.now();
    this.#options.ping(this.#pingSentAt);
    this.#later(pongPatienceMs);
  }

  #later(delayMs: number): void {
    this.#cancel();
    this.#cancel = this.#options.timing.after(delayMs, () => this.#ping());
  }
}
