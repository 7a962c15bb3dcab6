import type { LogFields, Logger } from "../logger.ts";
import type { Callback, Durable } from "./durable.ts";

/** The pauses between this many failures take about ten minutes. */
export const failuresMax = 14;

const pauseSecondsMax = 60;

export interface RetryingEngineOptions {
  readonly durable: Pick<Durable, "step" | "wait"> & Partial<Pick<Durable, "createCallback">>;
  readonly of: { readonly noun: string; readonly ids: LogFields };
  readonly logger: Logger;
}

export class RetryingEngine {
  readonly #options: RetryingEngineOptions;
  #operations = 0;

  constructor(options: RetryingEngineOptions) {
    this.#options = options;
  }

  get operations(): number {
    return this.#operations;
  }

  /** @throws {Error} when the last try has failed: the execution's dead letter or event then ends the run. */
  async step<Result extends object>(
    name: string,
    work: (failures: number) => Promise<Result>,
    pauseSecondsLeft: () => number | undefined = () => undefined,
  ): Promise<Result> {
    let leftSeconds = pauseSecondsMax;
    for (let failures = 0; failures <= failuresMax; failures += 1) {
      if (failures > 0) await this.wait("retry", Math.min(pauseSecondsMax, 2 ** failures, leftSeconds));
      this.#operations += 1;
      const tried = await this.#options.durable.step(name, async () => {
        const outcome = await this.#try(name, failures, work);
        return "result" in outcome ? outcome : { ...outcome, leftSeconds: pauseSecondsLeft() };
      });
      if ("result" in tried) return tried.result;
      leftSeconds = tried.leftSeconds ?? pauseSecondsMax;
    }
    throw new Error(`${name} of the execution of ${this.#options.of.noun} failed ${failuresMax + 1} times`);
  }

  async wait(name: string, seconds: number): Promise<void> {
    this.#operations += 1;
    await this.#options.durable.wait(name, seconds);
  }

  async createCallback(name: string, seconds: number): Promise<Callback> {
    const { durable } = this.#options;
    if (durable.createCallback === undefined) throw new Error("this engine has no callbacks");
    this.#operations += 1;
    return await durable.createCallback(name, seconds);
  }

  async #try<Result extends object>(
    name: string,
    failures: number,
    work: (failures: number) => Promise<Result>,
  ): Promise<{ readonly result: Result } | { readonly isFailed: true }> {
    try {
      return { result: await work(failures) };
    } catch (cause) {
      const { noun, ids } = this.#options.of;
      this.#options.logger.error(`a step of ${noun} failed`, {
        ...ids,
        step: name,
        failures: failures + 1,
        cause,
      });
      return { isFailed: true };
    }
  }
}
