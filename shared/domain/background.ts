/** Takes work that its caller need not wait for. It is done before the invocation ends, and must not reject. */
export type WaitUntil = (work: () => Promise<void>) => void;

/** The pause keeps the work from delaying what its caller does next. */
const afterMs = 25;

/** Work beside an invocation's own, which a frozen function would never end. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  readonly waitUntil: WaitUntil = (work) => {
    const begun = pause(afterMs).then(work);
    this.#underWay.add(begun);
    void begun.finally(() => this.#underWay.delete(begun));
  };

  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
