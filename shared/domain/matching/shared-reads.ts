interface Begun {
  readonly startedAt: number;
  readonly value: Promise<unknown>;
  isOver: boolean;
}

export interface SharedRead<T> {
  readonly startedAt: number;
  readonly value: T;
}

/** Shares reads of queues that many machines need, one per queue at a time; times are counted, not measured. */
export class SharedReads {
  readonly #last = new Map<string, Begun>();
  #count = 0;

  /** A read that starts from now on includes everything that was written before. */
  now(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Returns the last read if it began at that time or later. Otherwise it reads once for all callers meanwhile. */
  async read<T>(key: string, since: number, read: () => Promise<T>): Promise<SharedRead<T>> {
    for (;;) {
      const last = this.#last.get(key);
      if (last !== undefined && last.startedAt >= since) {
        // Each key is read in one way.
        return { startedAt: last.startedAt, value: (await last.value) as T };
      }
      if (last === undefined || last.isOver) return await this.#begin(key, read);
      await last.value.catch(() => undefined);
    }
  }

  async #begin<T>(key: string, read: () => Promise<T>): Promise<SharedRead<T>> {
    const startedAt = this.now();
    const value = read();
    const begun: Begun = { startedAt, value, isOver: false };
    this.#last.set(key, begun);
    try {
      return { startedAt, value: await value };
    } catch (error) {
      if (this.#last.get(key) === begun) this.#last.delete(key);
      throw error;
    } finally {
      begun.isOver = true;
    }
  }
}
