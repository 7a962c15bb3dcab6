const rememberedMs = 60_000;

/** From this share of the limit on, the number is read each time. */
const nearShare = 0.75;

const keysKnownMax = 1_000;

interface KnownCount {
  readonly readAtMs: number;
  readonly count: number;
}

/** The cost of reading the number grows with it; far from the limit, other instances' last minute does not matter. */
export class KeyCounts {
  readonly #known = new Map<string, KnownCount>();

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
