/** Everything ends in the opposite order of its start. */
export class ShutdownList {
  readonly #steps: (() => Promise<unknown> | unknown)[] = [];
  #stopped: Promise<void> | undefined;

  add(...together: readonly (() => Promise<unknown> | unknown)[]): void {
    this.#steps.push(() => Promise.allSettled(together.map(async (stop) => await stop())));
  }

  /** Never rejects; may be called again. */
  run(): Promise<void> {
    this.#stopped ??= this.#runAll();
    return this.#stopped;
  }

  async #runAll(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step();
  }
}
