import { randomBytes, randomUUID } from "node:crypto";
import { type EventBody, fitsInJson } from "../event-body.ts";
import type { FunctionModel } from "../template/application.ts";
import type { BodyTurns } from "./body-turns.ts";
import { ExecutionEnvironment } from "./execution-environment.ts";
import { failure, type InvokeResult } from "./invoke-result.ts";
import { environmentIdleMs, patienceMs, syncRequestBytesMax } from "./limits.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Places } from "./places.ts";

type EnvironmentNames = {
  /** The name is unique in the stack; AWS calls have it in their user agent. */
  readonly workerName: string;
  readonly logStreamName: string;
};

export type LambdaFunctionInput = {
  readonly fn: FunctionModel;
  readonly environmentOf: (names: EnvironmentNames) => Readonly<Record<string, string>>;
  readonly log: LogWriter;
  /** Number of requests that the function may have in flight. */
  readonly concurrencyMax: number;
  readonly concurrency: { readonly take: () => boolean; readonly give: () => void };
  readonly places: Places;
  readonly bodyTurns: BodyTurns;
  readonly idleMs?: number;
  readonly initTimeoutMs?: number;
};

export type InvocationOptions = {
  /** The event's `body`, which it is without. */
  readonly body?: EventBody | undefined;
  readonly bytesMax?: number;
};

interface Waiting {
  readonly sinceMs: number;
  readonly serve: (found: ExecutionEnvironment | InvokeResult) => void;
}

interface Idle {
  readonly environment: ExecutionEnvironment;
  readonly sinceMs: number;
  readonly ending: NodeJS.Timeout;
}

export type FunctionState = {
  readonly environments: number;
  readonly idle: number;
  readonly coldStarts: number;
};

/** A start that took less time before, with the same code and variables, lacks processor time. */
const overloaded = failure("throttled", "TooManyRequestsException", "Too many environments start at once.");

/** A request that finds no idle environment is served by the first free one, as in Lambda. */
export class LambdaFunction {
  readonly #input: LambdaFunctionInput;
  /** The longest idle comes first, and is the first to end; the last is the first to be used. */
  readonly #idle: Idle[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #busy = new Set<ExecutionEnvironment>();
  readonly #outdated = new WeakSet<ExecutionEnvironment>();
  readonly #waiting: Waiting[] = [];
  #patience: NodeJS.Timeout | undefined;
  #initializing = 0;
  #inFlight = 0;
  #coldStarts = 0;
  #freedAtMs = Number.NEGATIVE_INFINITY;
  #hasStartedBefore = false;
  #stopped = false;
  #variables: Readonly<Record<string, string>> = {};

  constructor(input: LambdaFunctionInput) {
    this.#input = input;
  }

  get model(): FunctionModel {
    return this.#input.fn;
  }

  get state(): FunctionState {
    return { environments: this.#all.size, idle: this.#idle.length, coldStarts: this.#coldStarts };
  }

  get freedAtMs(): number {
    return this.#freedAtMs;
  }

  get longestIdleSinceMs(): number | undefined {
    return this.#idle[0]?.sinceMs;
  }

  async invoke(
    event: unknown,
    { body, bytesMax = syncRequestBytesMax }: InvocationOptions = {},
  ): Promise<InvokeResult> {
    const text = JSON.stringify(event) ?? "null";
    if (!fits(text, body, bytesMax)) {
      const message = `Request must be smaller than ${bytesMax} bytes for the InvokeFunction operation`;
      return failure("request_too_large", "RequestTooLargeException", message);
    }
    if (this.#inFlight >= this.#input.concurrencyMax || !this.#input.concurrency.take()) {
      return failure("throttled", "TooManyRequestsException", "Rate Exceeded.");
    }
    this.#inFlight += 1;
    const endTurn = await this.#input.bodyTurns.take(body?.bytes.byteLength ?? 0);
    try {
      const environment = await this.#acquire();
      if (!(environment instanceof ExecutionEnvironment)) return environment;
      this.#busy.add(environment);
      const result = await environment.invoke({
        requestId: randomUUID(),
        traceId: newTraceId(),
        event: text,
        body,
      });
      this.#busy.delete(environment);
      this.#freedAtMs = performance.now();
      this.#release(environment);
      return result;
    } finally {
      endTurn();
      this.#inFlight -= 1;
      this.#input.concurrency.give();
    }
  }

  async warm(): Promise<void> {
    if (this.#all.size > 0) return;
    const environment = await this.#acquire();
    if (environment instanceof ExecutionEnvironment) this.#release(environment);
  }

  get variables(): Readonly<Record<string, string>> {
    return { ...this.#input.fn.environment, ...this.#variables };
  }

  /** Environments that start from now on have these variables in place of the template's. */
  async replaceVariables(variables: Readonly<Record<string, string>>): Promise<void> {
    this.#variables = variables;
    this.#hasStartedBefore = false;
    await this.recycle();
  }

  /** Idle environments end now, busy ones after their request. */
  async recycle(): Promise<void> {
    for (const environment of this.#all) this.#outdated.add(environment);
    await Promise.all(
      this.#idle.splice(0).map(async ({ environment, ending }) => {
        clearTimeout(ending);
        await environment.stop();
      }),
    );
  }

  async crash(workerName: string): Promise<void> {
    await Promise.all([...this.#all].filter(({ name }) => name === workerName).map((found) => found.stop()));
  }

  async crashBusy(): Promise<boolean> {
    const [environment] = this.#busy;
    await environment?.stop();
    return environment !== undefined;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#patience);
    await Promise.all([...this.#all].map((environment) => environment.stop()));
  }

  #acquire(): Promise<ExecutionEnvironment | InvokeResult> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.ending);
      if (!idle.environment.hasEnded) return Promise.resolve(idle.environment);
    }
    const { promise, resolve } = Promise.withResolvers<ExecutionEnvironment | InvokeResult>();
    this.#waiting.push({ sinceMs: performance.now(), serve: resolve });
    this.startForWaiting();
    return promise;
  }

  endLongestIdle(): void {
    const idle = this.#idle.shift();
    clearTimeout(idle?.ending);
    void idle?.environment.stop();
  }

  startForWaiting(): void {
    if (this.#stopped) {
      const stopping = failure("crash", "ServiceException", "the stack is stopping");
      for (const { serve } of this.#waiting.splice(0)) serve(stopping);
      return;
    }
    for (;;) {
      const next = this.#waiting[this.#initializing];
      if (next === undefined) return;
      const waitedMs = performance.now() - next.sinceMs;
      if (!this.#input.places.isOneFree(this, waitedMs)) {
        this.#startLater(waitedMs < patienceMs ? patienceMs - waitedMs : patienceMs);
        return;
      }
      void this.#start();
    }
  }

  #startLater(pauseMs: number): void {
    if (this.#patience !== undefined) return;
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      this.startForWaiting();
    }, pauseMs);
  }

  async #start(): Promise<void> {
    this.#coldStarts += 1;
    this.#initializing += 1;
    const workerName = `${this.#input.fn.shortName}-${this.#coldStarts}`;
    const logStreamName = newLogStreamName();
    const environment: ExecutionEnvironment = new ExecutionEnvironment({
      fn: this.#input.fn,
      environment: { ...this.#input.environmentOf({ workerName, logStreamName }), ...this.#variables },
      workerName,
      logStreamName,
      log: this.#input.log,
      ...(this.#input.initTimeoutMs === undefined ? {} : { initTimeoutMs: this.#input.initTimeoutMs }),
      onEnd: () => this.#all.delete(environment),
    });
    this.#all.add(environment);
    const failed = await this.#input.places.starting(() => environment.init());
    this.#initializing -= 1;
    if (failed === undefined) {
      this.#hasStartedBefore = true;
      this.#release(environment);
    } else {
      const isOverload = this.#hasStartedBefore && !failed.ok && failed.kind === "timeout";
      this.#waiting.shift()?.serve(isOverload ? overloaded : failed);
    }
    this.#input.places.offer();
  }

  #release(environment: ExecutionEnvironment): void {
    if (this.#outdated.has(environment)) void environment.stop();
    if (environment.hasEnded || this.#outdated.has(environment)) {
      this.startForWaiting();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#keep(environment);
    else next.serve(environment);
  }

  #keep(environment: ExecutionEnvironment): void {
    const ending = setTimeout(() => this.endLongestIdle(), this.#input.idleMs ?? environmentIdleMs).unref();
    this.#idle.push({ environment, sinceMs: performance.now(), ending });
    this.#input.places.offer();
  }
}

/** The limit is that of the JSON in which AWS hands both over. */
function fits(event: string, body: EventBody | undefined, bytesMax: number): boolean {
  const left = bytesMax - Buffer.byteLength(event);
  return body === undefined ? left >= 0 : fitsInJson(body, left - ',"body":""'.length);
}

function newLogStreamName(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "/");
  return `${day}/[$LATEST]${randomBytes(16).toString("hex")}`;
}

function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  const parent = randomBytes(8).toString("hex");
  return `Root=1-${seconds}-${randomBytes(12).toString("hex")};Parent=${parent};Sampled=0`;
}
