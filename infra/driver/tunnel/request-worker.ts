import { Readable } from "node:stream";
import { tunnelInFlightMax } from "../../../shared/contract/tunnel.ts";
import { longTransferHeader, longTransferMsMax } from "../../../shared/vocabulary/drivers.ts";
import { problemAnswer, Refusal, reasonOf, refusalResponse } from "../answer.ts";
import type { Answer, Desktop, RequestBody } from "../desktop.ts";
import type { DriverLog } from "../driver-log.ts";
import { type Shutdown, shutdownPath } from "../shutdown.ts";
import type { Timing } from "../timing.ts";
import { ActionMemory } from "./action-memory.ts";
import { toWireResponse } from "./deliver.ts";
import type { WholeRequest } from "./request-assembler.ts";
import type { WireResponse } from "./response-sender.ts";
import { openDownload } from "./transfer.ts";
import { TransferFailed, type TransferRules } from "./transfer-rules.ts";
import { WaitingLooks, withoutWait } from "./waiting-looks.ts";

/** The service allows a call at most 25 s; a clock that jumped must not keep a program alive. */
const workMsMax = 60_000;

export interface RequestWorkerOptions {
  readonly desktop: Desktop;
  readonly shutdown: Shutdown;
  readonly timing: Timing;
  readonly log: DriverLog;
}

/** Each action is done once, and at most four at a time; one worker serves all of a driver's connections in turn. */
export class RequestWorker {
  readonly #desktop: Desktop;
  readonly #shutdown: Shutdown;
  readonly #timing: Timing;
  readonly #log: DriverLog;
  readonly #memory: ActionMemory;
  readonly #stopped = new AbortController();
  readonly #transfers = new Map<string, Promise<WireResponse>>();
  readonly #waitingLooks = new WaitingLooks();
  #inFlight = 0;

  constructor(options: RequestWorkerOptions) {
    this.#desktop = options.desktop;
    this.#shutdown = options.shutdown;
    this.#timing = options.timing;
    this.#log = options.log;
    this.#memory = new ActionMemory(options.timing);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * @param deadline is by this machine's clock, in milliseconds.
   * @returns undefined when the deadline has passed: nobody waits for a response, and nothing may be done.
   */
  async work(
    request: WholeRequest,
    deadline: number,
    rules: TransferRules,
  ): Promise<WireResponse | undefined> {
    const started = this.#timing.now();
    const fields = {
      request_id: request.id,
      method: request.method,
      path: request.path,
      trace: request.trace,
    };
    if (started >= deadline) {
      this.#log("warn", "request past its deadline dropped", fields);
      return undefined;
    }
    const isLong = request.headers[longTransferHeader] === "true";
    const work = new AbortController();
    const msMax = isLong ? longTransferMsMax : Math.min(deadline - started, workMsMax);
    const cancel = this.#timing.after(msMax, () => work.abort());
    const signal = AbortSignal.any([work.signal, this.#stopped.signal]);
    try {
      const answer = isLong
        ? await this.#transfer(request, rules, signal)
        : await this.#workUntil(request, rules, signal);
      const ms = this.#timing.now() - started;
      this.#log("info", "request answered", {
        ...fields,
        status: answer.status,
        uploaded: answer.uploaded,
        duration_ms: ms,
      });
      return this.#timing.now() < deadline ? answer : undefined;
    } finally {
      cancel();
    }
  }

  /** Continues past the deadline: a request with the same action id gets the response of the one under way. */
  async #transfer(request: WholeRequest, rules: TransferRules, signal: AbortSignal): Promise<WireResponse> {
    const underWay = this.#transfers.get(request.actionId);
    if (underWay !== undefined) return await underWay;
    const transfer = this.#workUntil(request, rules, signal, true);
    this.#transfers.set(request.actionId, transfer);
    try {
      return await transfer;
    } finally {
      this.#transfers.delete(request.actionId);
    }
  }

  async #workUntil(
    request: WholeRequest,
    rules: TransferRules,
    signal: AbortSignal,
    isLong = false,
  ): Promise<WireResponse> {
    const known = this.#memory.find(request.actionId);
    const deliver = (answer: Answer) => toWireResponse(answer, request.upload, rules, signal, this.#log);
    if (known.kind === "answered") return await deliver(known.answer);
    if (known.kind === "in_flight") return await deliver(await known.answer);
    if (known.kind === "answer_gone") {
      return await deliver(
        problemAnswer(409, "answer_gone", "the action was done, and its answer was too large to keep"),
      );
    }
    if (request.repeat) {
      return await deliver(
        problemAnswer(409, "unknown_action", "no action with this id is known here, and nothing was done"),
      );
    }
    if (request.path === shutdownPath) return await deliver(await this.#act(request, rules, signal));
    if (this.#shutdown.isRequested) {
      return await deliver(problemAnswer(503, "shutting_down", "the driver is shutting down"));
    }
    if (isLong) return await deliver(await this.#act(request, rules, signal));
    const endWait = this.#waitingLooks.begin(request);
    if (endWait !== undefined) {
      try {
        return await deliver(await this.#act(request, rules, signal));
      } finally {
        endWait();
      }
    }
    if (this.#inFlight >= tunnelInFlightMax) {
      const sentence = `${tunnelInFlightMax} requests are in flight, and no more are taken at a time`;
      return await deliver(problemAnswer(429, "busy", sentence, { "retry-after": "1" }));
    }
    this.#inFlight += 1;
    try {
      return await deliver(await this.#act(withoutWait(request), rules, signal));
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Repeating a GET does no harm, and a fresh response is better than a remembered one. */
  async #act(request: WholeRequest, rules: TransferRules, signal: AbortSignal): Promise<Answer> {
    const act = () => this.#answer(request, rules, signal);
    return request.method === "GET" ? await act() : await this.#memory.run(request.actionId, act);
  }

  async #answer(request: WholeRequest, rules: TransferRules, signal: AbortSignal): Promise<Answer> {
    const { method, path, query, headers } = request;
    const handler = path === shutdownPath ? this.#shutdown : this.#desktop;
    try {
      return await handler.handle({
        method,
        path,
        query,
        headers,
        body: requestBody(request, rules, signal),
        signal,
      });
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error);
      if (signal.aborted)
        return problemAnswer(500, "cancelled", "the deadline passed while this was being done");
      if (error instanceof TransferFailed) return problemAnswer(500, "download_failed", error.message);
      const reason = reasonOf(error);
      this.#log("error", "request failed", { request_id: request.id, path, reason });
      return problemAnswer(500, "desktop_failed", reason);
    }
  }
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, "too_large", `the body is larger than the ${bytesMax} bytes that are taken here`);
}

function inlineBody(body: Uint8Array): RequestBody {
  return {
    size: body.byteLength,
    async bytes(bytesMax) {
      if (body.byteLength > bytesMax) throw tooLarge(bytesMax);
      return body;
    },
    stream: async () => Readable.from([body]),
  };
}

/** A `download` is fetched when it is read. */
function requestBody(request: WholeRequest, rules: TransferRules, signal: AbortSignal): RequestBody {
  const { download } = request;
  if (download === undefined) return inlineBody(request.body);
  return {
    size: undefined,
    async bytes(bytesMax) {
      const { stream, size } = await openDownload(download, rules, signal);
      const chunks: Buffer[] = [];
      let read = 0;
      try {
        if (size !== undefined && size > bytesMax) throw tooLarge(bytesMax);
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          read += chunk.byteLength;
          if (read > bytesMax) throw tooLarge(bytesMax);
          chunks.push(chunk);
        }
      } finally {
        stream.destroy();
      }
      return Buffer.concat(chunks);
    },
    stream: async () => (await openDownload(download, rules, signal)).stream,
  };
}
