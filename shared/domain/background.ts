/** Takes work that its caller need not wait for. It is done before the invocation ends, and must not reject. */
export type WaitUntil = (work: () => Promise<void>) => void;

/** What goes on beside an invocation's own work, which a function that is frozen would never end. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  readonly waitUntil: WaitUntil = (work) => {
    const begun = afterOwnWork().then(work);
    this.#underWay.add(begun);
    void begun.finally(() => this.#underWay.delete(begun));
  };

  /** Resolves when nothing is under way. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

/** Once what the caller does next has been sent, and is waited for: what is to be done beside it shall not delay it. */
async function afterOwnWork(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
