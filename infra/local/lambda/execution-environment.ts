import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { FunctionModel } from "../template/application.ts";
import { failure, type InvokeResult } from "./invoke-result.ts";
import { initTimeoutMs, syncResponseBytesMax } from "./limits.ts";
import type { LogWriter } from "./log-writer.ts";
import { logGroupName } from "./runtime-environment.ts";
import type { InvokeMessage, WorkerMessage, WorkerSetup } from "./worker-messages.ts";

export type ExecutionEnvironmentInput = {
  readonly fn: FunctionModel;
  readonly environment: Readonly<Record<string, string>>;
  readonly workerName: string;
  readonly logStreamName: string;
  readonly log: LogWriter;
  readonly initTimeoutMs?: number;
  readonly onEnd: () => void;
};

const youngGenerationMb = 12;

type Outcome =
  | WorkerMessage
  | { readonly kind: "ended"; readonly reason: string; readonly errorType: string }
  | { readonly kind: "timed_out" };

function setupOf({ fn, logStreamName }: ExecutionEnvironmentInput): WorkerSetup {
  const slash = fn.handler.lastIndexOf("/") + 1;
  const [file, ...exportPath] = fn.handler.slice(slash).split(".");
  return {
    module: join(fn.folder, fn.handler.slice(0, slash), file ?? ""),
    exportPath,
    functionName: fn.name,
    functionArn: fn.arn,
    memoryMb: fn.memoryMb,
    logGroupName: logGroupName(fn.name),
    logStreamName,
  };
}

/** Unlike in Lambda, the thread is not frozen between requests, and the memory limit covers only its heap. */
export class ExecutionEnvironment {
  readonly #input: ExecutionEnvironmentInput;
  readonly #worker: Worker;
  readonly #ready: Promise<Outcome>;
  #settle: ((outcome: Outcome) => void) | undefined;
  #ended: Extract<Outcome, { kind: "ended" }> | undefined;

  constructor(input: ExecutionEnvironmentInput) {
    this.#input = input;
    const { memoryMb } = input.fn;
    this.#worker = new Worker(new URL("./worker-entry.mjs", import.meta.url), {
      workerData: setupOf(input),
      env: { ...input.environment },
      execArgv: [],
      stdout: true,
      stderr: true,
      // Lambda's start script gives the two generations these shares; here the young one stays small.
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(memoryMb * 0.9),
        maxYoungGenerationSizeMb: youngGenerationMb,
      },
    });
    this.#worker.on("message", (message: WorkerMessage) => this.#settle?.(message));
    this.#worker.on("error", (error) => this.#end(describeCrash(error), error.name));
    this.#worker.on("exit", (code) => {
      this.#end(`Runtime exited with error: exit status ${code}`, "Runtime.ExitError");
      input.onEnd();
    });
    this.#keep(this.#worker.stdout, "stdout");
    this.#keep(this.#worker.stderr, "stderr");
    this.#ready = this.#outcome(input.initTimeoutMs ?? initTimeoutMs);
  }

  get name(): string {
    return this.#input.workerName;
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** A failure ends the environment, because Lambda starts a new one after it. */
  async init(): Promise<InvokeResult | undefined> {
    const outcome = await this.#ready;
    if (outcome.kind === "ready") return undefined;
    await this.stop();
    if (outcome.kind === "init_failed") return { ok: false, kind: "error", error: outcome.error };
    if (outcome.kind === "ended") return failure("crash", outcome.errorType, outcome.reason);
    return failure(
      "timeout",
      "Sandbox.Timedout",
      `Init phase timed out after ${(this.#input.initTimeoutMs ?? initTimeoutMs) / 1_000} seconds`,
    );
  }

  /** Must not be called during another invocation, nor before `init`. */
  async invoke(request: Omit<InvokeMessage, "deadlineMs">): Promise<InvokeResult> {
    const timeoutMs = this.#input.fn.timeoutSeconds * 1_000;
    const outcome = this.#outcome(timeoutMs);
    const message: InvokeMessage = { ...request, deadlineMs: Date.now() + timeoutMs };
    this.#worker.postMessage(message, request.body === undefined ? [] : [request.body.bytes.buffer]);
    return this.#result(request.requestId, await outcome);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #result(requestId: string, outcome: Outcome): Promise<InvokeResult> {
    switch (outcome.kind) {
      case "returned":
        return returned(outcome.payload);
      case "threw":
        return { ok: false, kind: "error", error: outcome.error };
      case "ended":
        await this.stop();
        return failure("crash", outcome.errorType, `RequestId: ${requestId} Error: ${outcome.reason}`);
      case "timed_out": {
        await this.stop();
        const text = `Task timed out after ${this.#input.fn.timeoutSeconds.toFixed(2)} seconds`;
        this.#log("platform", `${requestId} ${text}`);
        return failure("timeout", "Sandbox.Timedout", `RequestId: ${requestId} Error: ${text}`);
      }
      default:
        throw new Error(`the worker of ${this.#input.fn.name} sent ${outcome.kind} during an invocation`);
    }
  }

  #outcome(timeoutMs: number): Promise<Outcome> {
    if (this.#ended !== undefined) return Promise.resolve(this.#ended);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => this.#settle?.({ kind: "timed_out" }), timeoutMs);
    this.#settle = (outcome) => {
      clearTimeout(timer);
      this.#settle = undefined;
      resolve(outcome);
    };
    return promise;
  }

  #end(reason: string, errorType: string): void {
    this.#ended ??= { kind: "ended", reason, errorType };
    this.#settle?.(this.#ended);
  }

  #keep(source: Readable, stream: "stdout" | "stderr"): void {
    createInterface({ input: source }).on("line", (line) => this.#log(stream, line));
  }

  #log(stream: "stdout" | "stderr" | "platform", line: string): void {
    this.#input.log.write({ function: this.#input.fn.name, worker: this.name, stream, line });
  }
}

function describeCrash(error: Error): string {
  const outOfMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return outOfMemory ? "Runtime exited with error: signal: killed" : error.message;
}

function returned(payload: string | undefined): InvokeResult {
  if (payload === undefined) return { ok: true, payload: null };
  if (Buffer.byteLength(payload) <= syncResponseBytesMax) return { ok: true, payload: JSON.parse(payload) };
  return failure(
    "response_too_large",
    "Function.ResponseSizeTooLarge",
    `Response payload size exceeded maximum allowed payload size (${syncResponseBytesMax} bytes).`,
  );
}
