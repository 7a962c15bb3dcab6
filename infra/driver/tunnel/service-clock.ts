/** Below this, a difference from a Date header (whole seconds) says nothing. */
const dateHeaderNoiseMs = 2_000;
/** A pong that took longer says too little about the time it was sent. */
const roundTripMsMax = 5_000;

/**
 * Converts the service's time to this machine's.
 *
 * Deadlines are the service's time. A desktop whose clock is minutes off would otherwise drop every request, or
 * none.
 */
export class ServiceClock {
  #aheadMs = 0;

  /** Milliseconds that the service's clock is ahead of this machine's. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** @param serverMs the Date header of the handshake's response. */
  seeHandshake(serverMs: number, now: number): void {
    const ahead = serverMs + 500 - now;
    if (Math.abs(ahead - this.#aheadMs) > dateHeaderNoiseMs) this.#aheadMs = ahead;
  }

  /** @param pongAt the pong's own `at`; one that repeats the ping's says nothing about the service's clock. */
  seePong(pongAt: number, pingSentAt: number, now: number): void {
    const roundTripMs = now - pingSentAt;
    if (pongAt === pingSentAt || roundTripMs < 0 || roundTripMs > roundTripMsMax) return;
    this.#aheadMs = pongAt - (pingSentAt + roundTripMs / 2);
  }

  /** A timestamp of the service's, by this machine's clock. */
  toLocal(serviceMs: number): number {
    return serviceMs - this.#aheadMs;
  }
}
