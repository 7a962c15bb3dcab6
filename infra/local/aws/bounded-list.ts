/** Keeps only the newest entries, so that a stack left running does not fill memory. */
export class BoundedList<Entry> {
  readonly #max: number;
  #entries: Entry[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= this.#max * 1.5) this.#entries = this.#entries.slice(-this.#max);
  }

  snapshot(): readonly Entry[] {
    return this.#entries.slice(-this.#max);
  }

  clear(): void {
    this.#entries = [];
  }
}
