import type { Durable } from "../../../shared/domain/durable/durable.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";
import { KillSwitch } from "./kill-switch.ts";

class Suspended extends Error {}

export interface Recorded {
  readonly kind: "step" | "wait" | "callback";
  readonly name: string;
  readonly result: string;
}

export interface MemoryDurableOptions {
  readonly clock: FakeClock;
  readonly arn?: string;
  readonly invocationMs?: number;
  readonly kills?: KillSwitch;
  /** Called when an invocation waits for a callback; unless it is completed then, it times out. */
  readonly onCallback?: ((id: string) => Promise<void>) | undefined;
}

export interface RunOptions {
  readonly resumeAfterMs?: number;
  readonly onKill?: () => void | Promise<void>;
  readonly invocationsMax?: number;
}

/**
 * A durable engine in memory: what a step returned is recorded as JSON, an invocation that was killed or that waits is
 * followed by another one, which must ask for the same operations in the same order.
 */
export class MemoryDurable {
  readonly arn: string;
  readonly #options: MemoryDurableOptions;
  readonly #records: Recorded[] = [];
  readonly #kills: KillSwitch;
  readonly #completed = new Set<string>();
  invocations = 0;

  constructor(options: MemoryDurableOptions) {
    this.#options = options;
    this.#kills = options.kills ?? new KillSwitch();
    this.arn =
      options.arn ?? "arn:aws:lambda:eu-central-1:000000000000:function:executor:1/durable-execution/a/b";
  }

  /** Completing a callback twice, or one that has timed out, does nothing. */
  async complete(id: string): Promise<void> {
    this.#completed.add(id);
  }

  get operations(): readonly Pick<Recorded, "kind" | "name" | "result">[] {
    return this.#records;
  }

  async run<Result>(
    handler: (durable: Durable) => Promise<Result>,
    { resumeAfterMs = 0, onKill, invocationsMax = 500 }: RunOptions = {},
  ): Promise<Result> {
    const { clock } = this.#options;
    for (let invocation = 1; invocation <= invocationsMax; invocation += 1) {
      this.invocations = invocation;
      try {
        const ended = handler(this.#invocation()).then((result) => ({ result }));
        const outcome = await Promise.race([ended, this.#kills.armed()]);
        if (outcome !== "killed") return outcome.result;
        await onKill?.();
        clock.advance(resumeAfterMs);
      } catch (error) {
        if (!(error instanceof Suspended)) throw error;
      }
    }
    throw new Error(`the handler did not end in ${invocationsMax} invocations`);
  }

  #invocation(): Durable {
    const { clock, invocationMs = 900_000 } = this.#options;
    const untilMs = clock.now() + invocationMs;
    let at = 0;
    const replayed = (kind: Recorded["kind"], name: string): Recorded | undefined => {
      const record = this.#records[at];
      at += 1;
      if (record === undefined) return undefined;
      if (record.kind !== kind || record.name !== name) {
        throw new Error(`operation ${at} was ${record.kind} ${record.name}, and is ${kind} ${name} now`);
      }
      return record;
    };
    return {
      arn: this.arn,
      remainingMs: () => Math.max(0, untilMs - clock.now()),
      step: async <Outcome extends object>(name: string, work: () => Promise<Outcome>): Promise<Outcome> => {
        const record = replayed("step", name);
        if (record !== undefined) return JSON.parse(record.result) as Outcome;
        const result = JSON.stringify(await work());
        if (result.length > 2_048) throw new Error(`the result of ${name} has ${result.length} characters`);
        await this.#kills.call(
          `checkpoint ${name}`,
          async () => void this.#records.push({ kind: "step", name, result }),
        );
        return JSON.parse(result) as Outcome;
      },
      wait: async (name, seconds) => {
        if (replayed("wait", name) !== undefined) return;
        await this.#kills.call(
          "checkpoint wait",
          async () => void this.#records.push({ kind: "wait", name, result: "" }),
        );
        clock.advance(seconds * 1_000);
        throw new Suspended();
      },
      createCallback: async (name, seconds) => {
        const record = replayed("callback", name);
        const { id, endsAtMs } =
          record === undefined
            ? { id: `callback-${at}`, endsAtMs: clock.now() + seconds * 1_000 }
            : (JSON.parse(record.result) as { readonly id: string; readonly endsAtMs: number });
        if (record === undefined) {
          const result = JSON.stringify({ id, endsAtMs });
          await this.#kills.call(
            "checkpoint callback",
            async () => void this.#records.push({ kind: "callback", name, result }),
          );
        }
        return {
          id,
          over: async () => {
            if (this.#completed.has(id) || clock.now() >= endsAtMs) return;
            await this.#options.onCallback?.(id);
            if (!this.#completed.has(id)) clock.advance(Math.max(0, endsAtMs - clock.now()));
            throw new Suspended();
          },
        };
      },
    };
  }
}
