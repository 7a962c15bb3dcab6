/** The gateway's own 401 or 403 is over sooner; a person waits at the terminal. */
const refusalsMax = 3;
const withinMs = 30_000;
/** With the jitter, two pauses leave 12 s for the handshakes. */
const pauseMs = 7_000;

const ends = { 401: "unauthorized", 403: "forbidden" } as const;

export type FirstRefusalEnd = (typeof ends)[keyof typeof ends];

type RefusalVerdict =
  | { readonly kind: "end"; readonly end: FirstRefusalEnd }
  | { readonly kind: "retry"; readonly delayMs: number };

/** A refused driver whose fingerprint never got a welcome has, most likely, a wrong key or address. */
export class FirstRefusals {
  #isWelcomed = false;
  #times: readonly number[] = [];

  noteWelcome(): void {
    this.#isWelcomed = true;
  }

  /** @returns undefined when the status, or the welcome, makes it a refusal like any other. */
  judge(status: number, now: number, random: () => number): RefusalVerdict | undefined {
    if (this.#isWelcomed || (status !== 401 && status !== 403)) return undefined;
    this.#times = [...this.#times.filter((time) => time > now - withinMs), now];
    if (this.#times.length >= refusalsMax) return { kind: "end", end: ends[status] };
    return { kind: "retry", delayMs: pauseMs * (0.7 + 0.6 * random()) };
  }
}
