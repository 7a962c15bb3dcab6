/** How long an instance goes by what it has read, and its own opens since. */
const rememberedMs = 60_000;

/** The share of the limit from which on the number is read each time. */
const nearShare = 0.75;

const keysKnownMax = 1_000;

interface KnownCount {
  readonly readAtMs: number;
  readonly count: number;
}

/**
 * How many connections a key has, as one instance knows it: reading it costs by their number, and far from the limit it
 * does not matter what other instances have opened or closed within a minute.
 */
export class KeyCounts {
  readonly #known = new Map<string, KnownCount>();

  /** Undefined when it is to be read: unknown, too old, or near the limit. */
  find(keyId: string, max: number, nowMs: number): number | undefined {
    const known = this.#known.get(keyId);
    if (known === undefined || nowMs - known.readAtMs >= rememberedMs) return undefined;
    return known.count < max * nearShare ? known.count : undefined;
  }

  noteRead(keyId: string, count: number, nowMs: number): void {
    if (this.#known.size >= keysKnownMax) this.#known.clear();
    this.#known.set(keyId, { readAtMs: nowMs, count });
  }

  noteOpened(keyId: string): void {
    const known = this.#known.get(keyId);
    if (known) this.#known.set(keyId, { ...known, count: known.count + 1 });
  }
}
