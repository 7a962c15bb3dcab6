import type { Timing } from "../timing.ts";

const pongPatienceMs = 20_000;
const unansweredPingsMax = 3;

export interface HeartbeatOptions {
  readonly timing: Timing;
  readonly intervalMs: number;
  readonly ping: (at: number) => void;
  readonly dead: () => void;
}

/** A cut line closes no socket by itself, so pings detect a peer that is gone. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #cancel = (): void => {};
  #unanswered = 0;
  #pingSentAt: number | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The first ping also reads the service's clock. */
  start(): void {
    this.#ping();
  }

  /** Anything that arrives proves that the peer is alive. */
  sign(): void {
    if (this.#unanswered === 0) return;
    this.#unanswered = 0;
    this.#later(this.#options.intervalMs);
  }

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
