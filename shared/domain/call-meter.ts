export interface MeteredCalls {
  /** Retries are included. */
  readonly n: number;
  /** Concurrent calls each count in full. */
  readonly ms: number;
}

/** Counts an instance's calls to other services. It serves one request at a time, so they are that request's. */
export class CallMeter {
  readonly #calls = new Map<string, { n: number; ms: number }>();

  note(service: string, ms: number): void {
    const calls = this.#calls.get(service) ?? { n: 0, ms: 0 };
    calls.n += 1;
    calls.ms += ms;
    this.#calls.set(service, calls);
  }

  take(): Readonly<Record<string, MeteredCalls>> {
    const taken = [...this.#calls].map(
      ([service, { n, ms }]) => [service, { n, ms: Math.round(ms) }] as const,
    );
    this.#calls.clear();
    return Object.fromEntries(taken);
  }
}
