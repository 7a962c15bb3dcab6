/** A Date header has whole seconds, so a smaller difference means nothing. */
const dateHeaderNoiseMs = 2_000;
/** A slower pong says too little about when it was sent. */
const roundTripMsMax = 5_000;

/** If its clock is minutes off, a desktop would otherwise drop every request, or none. */
export class ServiceClock {
  #aheadMs = 0;

  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** @param serverMs is the Date header of the handshake's response. */
  seeHandshake(serverMs: number, now: number): void {
    const ahead = serverMs + 500 - now;
    if (Math.abs(ahead - this.#aheadMs) > dateHeaderNoiseMs) this.#aheadMs = ahead;
  }

  /** @param pongAt means nothing if it repeats the ping's. */
  seePong(pongAt: number, pingSentAt: number, now: number): void {
    const roundTripMs = now - pingSentAt;
    if (pongAt === pingSentAt || roundTripMs < 0 || roundTripMs > roundTripMsMax) return;
    this.#aheadMs = pongAt - (pingSentAt + roundTripMs / 2);
  }

  toLocal(serviceMs: number): number {
    return serviceMs - this.#aheadMs;
  }
}
