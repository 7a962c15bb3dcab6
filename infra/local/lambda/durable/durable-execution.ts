import { randomBytes } from "node:crypto";
import type {
  CompletedCallback,
  DurableExecutionInput,
  Ending,
  ExecutionRecord,
  ExecutionStatus,
  KeptExecution,
} from "./execution-records.ts";
import { History } from "./history.ts";
import { clientTokenMs, stateBytesMax, stateItemsMax } from "./limits.ts";
import { OperationLog } from "./operation-log.ts";
import {
  type CheckpointRequest,
  defined,
  invalidParameter,
  invalidToken,
  type Operation,
  type OperationUpdate,
} from "./wire.ts";

interface StatePage {
  readonly Operations: readonly Operation[];
  readonly NextMarker?: string;
}

export interface CheckpointAnswer {
  readonly NewExecutionState: { readonly Operations: readonly Operation[] };
  readonly CheckpointToken?: string;
}

export class DurableExecution {
  readonly input: DurableExecutionInput;
  readonly arn: string;
  readonly history = new History();
  readonly log: OperationLog;
  readonly #keep: (record: ExecutionRecord) => void;
  #ending: Ending | undefined;
  #token: string | undefined;
  readonly #answered = new Map<string, { readonly atMs: number; readonly answer: CheckpointAnswer }>();

  /** @param keep is given each change before anybody learns of it. */
  constructor(input: DurableExecutionInput, keep: (record: ExecutionRecord) => void = () => undefined) {
    this.input = input;
    this.#keep = keep;
    this.arn = `${input.functionArn}/durable-execution/${input.name}/${input.id}`;
    const { id: Id, payload, startedAtMs } = input;
    const own: Operation = {
      Id,
      Type: "EXECUTION",
      Status: "STARTED",
      StartTimestamp: new Date(startedAtMs),
      ExecutionDetails: { InputPayload: payload },
    };
    this.log = new OperationLog(own, this.history, this.arn);
    const details = { Input: { Payload: payload }, ExecutionTimeout: input.timeoutSeconds };
    this.history.add("ExecutionStarted", startedAtMs, details, own);
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  get status(): ExecutionStatus {
    return this.#ending?.status ?? "RUNNING";
  }

  invocation(): object {
    const UpdatedOperationIds = this.log.takeChanged().map(({ Id }) => Id);
    return {
      DurableExecutionArn: this.arn,
      CheckpointToken: this.#newToken(),
      InitialExecutionState: this.#page(0, stateItemsMax),
      UpdatedOperationIds,
    };
  }

  /**
   * Each token is valid for one checkpoint; a request repeated with its ClientToken gets the same response.
   *
   * @throws {AwsError} for another token, or updates that the service would refuse.
   */
  checkpoint(request: CheckpointRequest, nowMs: number): CheckpointAnswer {
    this.#forgetAnswers(nowMs);
    const known = request.ClientToken === undefined ? undefined : this.#answered.get(request.ClientToken);
    if (known !== undefined) return known.answer;
    if (request.CheckpointToken !== this.#token) throw invalidToken();
    const own = this.#update(request.Updates, nowMs);
    this.#keep({ kind: "updated", atMs: nowMs, updates: request.Updates });
    const Operations = this.log.takeChanged();
    if (own !== undefined) this.close(own);
    const answer = {
      NewExecutionState: { Operations },
      ...(own === undefined && { CheckpointToken: this.#newToken() }),
    };
    if (request.ClientToken !== undefined) this.#answered.set(request.ClientToken, { atMs: nowMs, answer });
    return answer;
  }

  /** False means that nobody waits for it any more. */
  completeCallback(callback: CompletedCallback, nowMs: number): boolean {
    this.log.elapse(nowMs);
    if (this.#ending !== undefined || !this.log.complete(callback, nowMs)) return false;
    this.#keep({ kind: "completed", atMs: nowMs, callback });
    return true;
  }

  restore(records: KeptExecution["records"]): void {
    for (const record of records) {
      if (record.kind === "completed") {
        this.log.elapse(record.atMs);
        this.log.complete(record.callback, record.atMs);
        continue;
      }
      const ending = record.kind === "ended" ? record.ending : this.#update(record.updates, record.atMs);
      if (ending !== undefined) this.#end(ending);
    }
  }

  #update(updates: readonly OperationUpdate[], nowMs: number): Ending | undefined {
    this.log.elapse(nowMs);
    const own = this.log.apply(updates, nowMs);
    return (
      own && {
        status: own.Action === "SUCCEED" ? "SUCCEEDED" : "FAILED",
        atMs: nowMs,
        ...defined({ result: own.Payload, error: own.Error }),
      }
    );
  }

  state(token: string, marker: string | undefined, maxItems: number): StatePage {
    if (token !== this.#token) throw invalidToken();
    const from = marker === undefined ? 0 : Number(marker);
    if (!Number.isInteger(from) || from < 0) throw invalidParameter("Invalid Marker.");
    return this.#page(from, Math.min(Math.max(maxItems, 1), stateItemsMax));
  }

  /** Only the first end counts. */
  close(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#keep({ kind: "ended", ending });
    this.#end(ending);
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#token = undefined;
    const type = {
      SUCCEEDED: "ExecutionSucceeded",
      FAILED: "ExecutionFailed",
      TIMED_OUT: "ExecutionTimedOut",
      STOPPED: "ExecutionStopped",
    }[ending.status];
    const details =
      ending.status === "SUCCEEDED"
        ? { Result: defined({ Payload: ending.result }) }
        : History.failure(ending.error);
    this.history.add(type, ending.atMs, details, { Id: this.input.id });
  }

  #page(from: number, maxItems: number): StatePage {
    const all = this.log.state();
    const page: Operation[] = [];
    let bytes = 0;
    for (const operation of all.slice(from, from + maxItems)) {
      bytes += Buffer.byteLength(JSON.stringify(operation));
      if (bytes > stateBytesMax && page.length > 0) break;
      page.push(operation);
    }
    const next = from + page.length;
    return { Operations: page, ...(next < all.length && { NextMarker: String(next) }) };
  }

  #newToken(): string {
    this.#token = randomBytes(24).toString("base64");
    return this.#token;
  }

  #forgetAnswers(nowMs: number): void {
    for (const [token, { atMs }] of this.#answered) {
      if (atMs + clientTokenMs > nowMs) break;
      this.#answered.delete(token);
    }
  }
}
