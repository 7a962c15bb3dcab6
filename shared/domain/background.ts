/** Hands over what its caller need not wait for. It is done before the invocation ends, and must not reject. */
export type WaitUntil = (work: Promise<void>) => void;

/** What goes on beside an invocation's own work, which a function that is frozen would never end. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  readonly waitUntil: WaitUntil = (work) => {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  };

  /** Resolves when nothing is under way. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
