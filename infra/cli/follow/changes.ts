/** Counts what has happened, so that nothing is missed between reading and waiting. */
export class Changes {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  note(): void {
    this.#count += 1;
    for (const go of [...this.#waiting]) go();
  }

  /** Waits until something has happened since the count, the time is over, or the signal is aborted. */
  async after(count: number, signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (this.#count > count || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => go(), timeoutMs);
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        signal.removeEventListener("abort", go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener("abort", go);
    });
  }
}
