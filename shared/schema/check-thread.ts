import type { Worker } from "node:worker_threads";
import type { InputCheck, InputCheckOptions } from "../domain/workflow/input-checker.ts";
import type { Dialect } from "./ajv-dialects.ts";
import { checkWorkerFile } from "./check-worker-file.ts";

export interface CheckRequest {
  readonly dialect: Dialect;
  readonly schema: string;
  /** Absent means that only the schema is checked. */
  readonly value?: string;
  readonly options: InputCheckOptions;
  /** The time counts from when the thread has started and loaded its code. */
  readonly timeoutMs: number;
}

export type CheckMessage =
  /** The time of the check runs from here. */
  { readonly kind: "begun" } | { readonly kind: "done"; readonly check: CheckOutcome };

export type CheckOutcome = InputCheck | { readonly kind: "ended" };

interface Job {
  readonly request: CheckRequest;
  readonly resolve: (outcome: CheckOutcome) => void;
  readonly reject: (cause: unknown) => void;
}

/** A thread that takes this many times a check's time is ended. */
const backstop = 4;

/** The limit is in MB; only a thread that needs more ends. */
export const checkMemoryMax = 128;

/**
 * A thread for customers' schemas, so that the event loop serves others meanwhile. The thread itself stops a job that
 * takes too long, or is ended; another one takes a processor some 200 ms to start.
 *
 * Source: https://nodejs.org/docs/latest-v24.x/api/worker_threads.html#workerterminate
 */
class CheckThread {
  readonly #waiting: Job[] = [];
  #worker: Worker | undefined;
  #current: Job | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Results in `ended` when it took too much time or memory. */
  async run(request: CheckRequest): Promise<CheckOutcome> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) return;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#current.request);
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: checkMemoryMax };
    // Loading the module takes 1.4 ms, and most instances check nothing.
    const threads = process.getBuiltinModule("node:worker_threads");
    const worker = new threads.Worker(checkWorkerFile(), { env: {}, execArgv: [], resourceLimits });
    worker.on("message", (message: CheckMessage) => {
      if (worker !== this.#worker) return;
      if (message.kind === "done") this.#settle((job) => job.resolve(message.check));
      else this.#timer = setTimeout(() => this.#end(), backstop * (this.#current?.request.timeoutMs ?? 0));
    });
    worker.on("error", (cause: Error & { readonly code?: string }) => {
      if (worker !== this.#worker) return;
      if (cause.code === "ERR_WORKER_OUT_OF_MEMORY") this.#end();
      else this.#end((job) => job.reject(cause));
    });
    return worker;
  }

  #end(settle: (job: Job) => void = (job) => job.resolve({ kind: "ended" })): void {
    const worker = this.#worker;
    void worker?.terminate();
    // The next check does not wait for the new thread to start.
    this.#worker = this.#start();
    this.#settle(settle);
  }

  #settle(settle: (job: Job) => void): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    // An idle thread must not keep the process alive.
    this.#worker?.unref();
    if (job !== undefined) settle(job);
    this.#next();
  }
}

export const checkThread = new CheckThread();
