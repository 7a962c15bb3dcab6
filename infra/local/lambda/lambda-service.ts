import { setTimeout as pause } from "node:timers/promises";
import type { Credentials } from "../aws/credentials.ts";
import type { EventBody } from "../event-body.ts";
import type { FunctionModel } from "../template/application.ts";
import type { AddressBook } from "./address-book.ts";
import { AsyncRetries } from "./async-retries.ts";
import { BodyTurns } from "./body-turns.ts";
import { failure, type InvokeResult } from "./invoke-result.ts";
import { LambdaFunction } from "./lambda-function.ts";
import {
  asyncRequestBytesMax,
  bodyTurnMs,
  concurrencyMax,
  environmentsMax,
  functionShare,
} from "./limits.ts";
import type { LogWriter } from "./log-writer.ts";
import { Places } from "./places.ts";
import { runtimeEnvironment } from "./runtime-environment.ts";

export type LambdaServiceInput = {
  readonly functions: readonly FunctionModel[];
  readonly credentialsOf: (fn: FunctionModel) => Credentials;
  readonly awsEndpointUrl: string;
  readonly addresses: AddressBook;
  readonly log: LogWriter;
  readonly concurrencyMax?: number;
  readonly environmentsMax?: number;
  /** @default a minute, after which an environment without a request ends */
  readonly idleMs?: number;
  /** @default 10 s, as Lambda's */
  readonly initTimeoutMs?: number;
  /** @default 60 s and 120 s, as Lambda's */
  readonly asyncRetryPausesMs?: readonly number[];
};

export class LambdaService {
  readonly #functions: ReadonlyMap<string, LambdaFunction>;
  readonly #retryPausesMs: readonly number[] | undefined;
  readonly #stopping = new AbortController();
  readonly #log: LogWriter;

  constructor(input: LambdaServiceInput) {
    const inFlightMax = input.concurrencyMax ?? concurrencyMax;
    let free = inFlightMax;
    const concurrency = {
      take: (): boolean => {
        if (free === 0) return false;
        free -= 1;
        return true;
      },
      give: (): void => {
        free += 1;
      },
    };
    const bodyTurns = new BodyTurns(() => bodyTurnMs);
    const places = new Places(input.environmentsMax ?? environmentsMax, () => this.list());
    this.#log = input.log;
    this.#retryPausesMs = input.asyncRetryPausesMs;
    this.#functions = new Map(
      input.functions.map((fn) => [
        fn.address,
        new LambdaFunction({
          fn,
          log: input.log,
          concurrency,
          concurrencyMax: fn.reservedConcurrency ?? Math.floor(inFlightMax * functionShare),
          places,
          bodyTurns,
          ...(input.idleMs === undefined ? {} : { idleMs: input.idleMs }),
          ...(input.initTimeoutMs === undefined ? {} : { initTimeoutMs: input.initTimeoutMs }),
          environmentOf: (names) =>
            runtimeEnvironment({ ...input, ...names, fn, credentials: input.credentialsOf(fn) }),
        }),
      ]),
    );
  }

  readonly invoke = async (address: string, event: unknown, body?: EventBody): Promise<InvokeResult> => {
    const fn = this.#functions.get(address);
    if (fn === undefined)
      return failure("error", "ResourceNotFoundException", `Function not found: ${address}`);
    return await fn.invoke(event, { body });
  };

  /** Retries as Lambda does after an error or a throttle. Never rejects. */
  async invokeAsync(address: string, event: unknown): Promise<InvokeResult> {
    const fn = this.#functions.get(address);
    if (fn === undefined)
      return failure("error", "ResourceNotFoundException", `Function not found: ${address}`);
    const retries = new AsyncRetries(fn.model, this.#retryPausesMs);
    const beganMs = performance.now();
    for (;;) {
      const result = await fn.invoke(event, { bytesMax: asyncRequestBytesMax });
      if (result.ok || result.kind === "request_too_large") return result;
      this.#logFailure(fn.model, result);
      const pauseMs = retries.pauseMsAfter(result.kind, performance.now() - beganMs);
      if (pauseMs === undefined) return result;
      try {
        await pause(pauseMs, undefined, { signal: this.#stopping.signal, ref: false });
      } catch {
        return result;
      }
    }
  }

  /** The name may be an address, a physical name, a logical id, or a folder in `functions/`. */
  find(name: string): LambdaFunction | undefined {
    return this.#functions.get(name) ?? this.list().find((fn) => isCalled(fn.model, name));
  }

  async crash(functionName: string, workerName: string): Promise<void> {
    await this.find(functionName)?.crash(workerName);
  }

  list(): readonly LambdaFunction[] {
    return [...this.#functions.values()];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.list().map((fn) => fn.stop()));
  }

  #logFailure(fn: FunctionModel, result: Extract<InvokeResult, { ok: false }>): void {
    const { kind, error } = result;
    this.#log.write({ function: fn.name, stream: "platform", line: { kind, error } });
  }
}

function isCalled(model: FunctionModel, name: string): boolean {
  return model.name === name || model.logicalId === name || model.shortName === name.replaceAll("-", "");
}
