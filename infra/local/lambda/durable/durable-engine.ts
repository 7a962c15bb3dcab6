import { randomUUID } from "node:crypto";
import * as z from "zod";
import { dayMs } from "../../../../shared/vocabulary/time.ts";
import { AwsError } from "../../aws/aws-error.ts";
import type { FunctionModel } from "../../template/application.ts";
import type { InvokeResult } from "../invoke-result.ts";
import type { Clock } from "./clock.ts";
import { DurableExecution } from "./durable-execution.ts";
import type {
  CompletedCallback,
  DurableExecutionInput,
  Ending,
  ExecutionRecords,
} from "./execution-records.ts";
import { failuresMax, firstRetryPauseMs, payloadBytesMax } from "./limits.ts";
import { defined, ErrorObject, invalidParameter } from "./wire.ts";

export interface DurableEngineInput {
  readonly clock: Clock;
  readonly invoke: (functionAddress: string, event: unknown) => Promise<InvokeResult>;
  readonly onStatus: (execution: DurableExecution) => void;
  /** @default nothing is kept: executions end with this process */
  readonly records?: ExecutionRecords | undefined;
}

export interface StartInput {
  readonly fn: FunctionModel;
  readonly version: string;
  readonly name?: string | undefined;
  readonly payload: string;
  readonly isAsync: boolean;
}

const Outcome = z.object({
  Status: z.enum(["SUCCEEDED", "FAILED", "PENDING"]),
  Result: z.string().optional(),
  Error: ErrorObject.optional(),
});

interface Running {
  readonly execution: DurableExecution;
  readonly ended: PromiseWithResolvers<void>;
  isInvoking: boolean;
  failures: number;
  cancelWake: () => void;
  cancelTimeout: () => void;
}

export class DurableEngine {
  readonly #input: DurableEngineInput;
  readonly #byName = new Map<string, Running>();
  readonly #byArn = new Map<string, Running>();
  #held: Set<Running> | undefined;
  #stopped = false;

  constructor(input: DurableEngineInput) {
    this.#input = input;
  }

  /**
   * Sources: https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html,
   * https://github.com/floci-io/floci
   *
   * @throws {AwsError} DurableExecutionAlreadyStartedException when that name has another payload or version.
   */
  start({ fn, version, name, payload, isAsync }: StartInput): DurableExecution {
    const id = randomUUID();
    const functionArn = `${fn.arn}:${version}`;
    const key = `${fn.address}\n${name ?? id}`;
    const known = this.#byName.get(key)?.execution;
    if (known !== undefined) {
      if (known.input.payload === payload && known.input.functionArn === functionArn) return known;
      const message = `Execution already started: ${known.arn}`;
      throw new AwsError(409, "DurableExecutionAlreadyStartedException", message);
    }
    const durable = fn.durable;
    if (durable === undefined) throw invalidParameter(`${fn.name} is not a durable function.`);
    const { clock, records } = this.#input;
    const input: DurableExecutionInput = {
      id,
      name: name ?? id,
      payload,
      isAsync,
      timeoutSeconds: durable.executionTimeoutSeconds,
      startedAtMs: clock.now(),
      functionAddress: fn.address,
      functionArn,
    };
    records?.append(id, { kind: "started", input });
    const running = this.#add(input, durable.retentionDays);
    this.#input.onStatus(running.execution);
    this.#invoke(running);
    return running.execution;
  }

  /** Repeats an interrupted invocation, as Lambda does; an execution that waits continues to wait. */
  resume(functions: readonly FunctionModel[]): void {
    for (const { input, records } of this.#input.records?.readAll() ?? []) {
      const fn = functions.find(({ address }) => address === input.functionAddress);
      if (fn?.durable === undefined) continue;
      const running = this.#add(input, fn.durable.retentionDays);
      running.execution.restore(records);
      if (running.execution.ending === undefined) this.#invoke(running);
      else this.#release(running);
    }
  }

  #add(input: DurableExecutionInput, retentionDays: number): Running {
    const { clock, records } = this.#input;
    const { id, name, functionAddress, timeoutSeconds } = input;
    const execution = new DurableExecution(input, (record) => records?.append(id, record));
    const running: Running = {
      execution,
      ended: Promise.withResolvers(),
      isInvoking: false,
      failures: 0,
      cancelWake: () => undefined,
      cancelTimeout: clock.at(input.startedAtMs + timeoutSeconds * 1_000, () => {
        const error = { ErrorMessage: `Execution timed out after ${timeoutSeconds} seconds.` };
        this.#close(running, { status: "TIMED_OUT", atMs: clock.now(), error });
      }),
    };
    const key = `${functionAddress}\n${name}`;
    this.#byName.set(key, running);
    this.#byArn.set(execution.arn, running);
    void running.ended.promise.then(() => {
      const endedAtMs = execution.ending?.atMs ?? clock.now();
      clock.at(endedAtMs + retentionDays * dayMs, () => {
        this.#byName.delete(key);
        this.#byArn.delete(execution.arn);
        records?.remove(id);
      });
    });
    return running;
  }

  get(arn: string): DurableExecution {
    return this.#running(arn).execution;
  }

  list(): readonly DurableExecution[] {
    return [...this.#byArn.values()].map(({ execution }) => execution);
  }

  async ended(execution: DurableExecution): Promise<Ending> {
    await this.#running(execution.arn).ended.promise;
    const { ending } = execution;
    if (ending === undefined) throw new Error(`${execution.arn} has not ended`);
    return ending;
  }

  /** Must be called after each checkpoint, which may have ended the execution. */
  checkpointed(execution: DurableExecution): void {
    if (execution.ending !== undefined) this.#settleEnd(this.#running(execution.arn));
  }

  /** @throws {AwsError} CallbackTimeoutException when the callback is over. */
  completeCallback(execution: DurableExecution, callback: CompletedCallback): void {
    if (!execution.completeCallback(callback, this.#input.clock.now())) {
      throw new AwsError(400, "CallbackTimeoutException", "The callback has expired or is closed already.");
    }
    // An invocation under way is followed by another one, which is told.
    this.#invoke(this.#running(execution.arn));
  }

  stopExecution(execution: DurableExecution, error: ErrorObject | undefined): void {
    const atMs = this.#input.clock.now();
    this.#close(this.#running(execution.arn), { status: "STOPPED", atMs, ...defined({ error }) });
  }

  /** Holds back invocations while timers continue, for tests. */
  hold(): void {
    this.#held ??= new Set();
  }

  release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const running of held ?? []) this.#invoke(running);
  }

  stop(): void {
    this.#stopped = true;
    for (const { cancelWake, cancelTimeout } of this.#byArn.values()) {
      cancelWake();
      cancelTimeout();
    }
  }

  #running(arn: string): Running {
    const found = this.#byArn.get(arn);
    if (found !== undefined) return found;
    throw new AwsError(404, "ResourceNotFoundException", "Durable Execution does not exist");
  }

  #invoke(running: Running): void {
    running.cancelWake();
    if (this.#stopped || running.isInvoking || running.execution.ending !== undefined) return;
    if (this.#held !== undefined) {
      this.#held.add(running);
      return;
    }
    running.isInvoking = true;
    void this.#invokeOnce(running);
  }

  async #invokeOnce(running: Running): Promise<void> {
    const { execution } = running;
    const { clock } = this.#input;
    execution.log.elapse(clock.now());
    const StartTimestamp = new Date(clock.now());
    const result = await this.#input.invoke(execution.input.functionAddress, execution.invocation());
    running.isInvoking = false;
    if (this.#stopped) return;
    const error = result.ok ? undefined : invocationError(result);
    execution.history.add("InvocationCompleted", clock.now(), {
      StartTimestamp,
      EndTimestamp: new Date(clock.now()),
      RequestId: randomUUID(),
      ...(error && { Error: { Payload: error } }),
    });
    if (execution.ending === undefined) this.#settle(running, result);
  }

  #settle(running: Running, result: InvokeResult): void {
    const { execution } = running;
    const nowMs = this.#input.clock.now();
    const outcome = result.ok ? Outcome.safeParse(result.payload).data : undefined;
    if (outcome?.Status === "SUCCEEDED") {
      this.#close(running, succeeded(execution, outcome.Result, nowMs));
      return;
    }
    if (outcome?.Status === "FAILED") {
      this.#close(running, { status: "FAILED", atMs: nowMs, ...defined({ error: outcome.Error }) });
      return;
    }
    execution.log.elapse(nowMs);
    const dueMs = execution.log.nextDueAtMs();
    const { hasChanged, hasOpenCallback } = execution.log;
    if (outcome !== undefined && (hasChanged || dueMs !== undefined || hasOpenCallback)) {
      running.failures = 0;
      if (!hasChanged && dueMs === undefined) return;
      this.#wakeAt(running, execution.log.hasChanged ? nowMs : (dueMs ?? nowMs));
      return;
    }
    running.failures += 1;
    if (running.failures === failuresMax) {
      this.#close(running, { status: "FAILED", atMs: nowMs, error: invocationError(result) });
      return;
    }
    execution.log.countRetry();
    this.#wakeAt(running, nowMs + firstRetryPauseMs * 2 ** (running.failures - 1));
  }

  #wakeAt(running: Running, timeMs: number): void {
    running.cancelWake = this.#input.clock.at(timeMs, () => this.#invoke(running));
  }

  #close(running: Running, ending: Ending): void {
    if (running.execution.ending !== undefined) return;
    running.execution.close(ending);
    this.#settleEnd(running);
  }

  #settleEnd(running: Running): void {
    this.#release(running);
    this.#input.onStatus(running.execution);
  }

  #release({ cancelWake, cancelTimeout, ended }: Running): void {
    cancelWake();
    cancelTimeout();
    ended.resolve();
  }
}

function succeeded({ input }: DurableExecution, result: string | undefined, atMs: number): Ending {
  if (!input.isAsync || Buffer.byteLength(result ?? "") <= payloadBytesMax)
    return { status: "SUCCEEDED", atMs, ...defined({ result }) };
  const ErrorMessage = `EXECUTION output payload size must be less than or equal to ${payloadBytesMax} bytes`;
  return { status: "FAILED", atMs, error: { ErrorType: "InvalidParameterValueException", ErrorMessage } };
}

/** A result that is not the SDK's, or says that it waits for nothing, is an error, too. */
function invocationError(result: InvokeResult): ErrorObject {
  if (!result.ok) return { ErrorType: result.error.errorType, ErrorMessage: result.error.errorMessage };
  return {
    ErrorType: "Runtime.InvalidResponse",
    ErrorMessage: "PENDING without an operation that is pending",
  };
}
