/** Keeps the newest entries up to a bound, so that a stack left running does not fill memory. */
export class BoundedList<Entry> {
  readonly #max: number;
  #entries: Entry[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    // Cut seldom and by half again as much, so that adding stays cheap.
    if (this.#entries.length >= this.#max * 1.5) this.#entries = this.#entries.slice(-this.#max);
  }

  /** Oldest first. */
  snapshot(): readonly Entry[] {
    return this.#entries.slice(-this.#max);
  }

  clear(): void {
    this.#entries = [];
  }
}
