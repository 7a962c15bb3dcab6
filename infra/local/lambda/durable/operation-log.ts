import { callbackIdOf } from "./callback-id.ts";
import type { CompletedCallback } from "./execution-records.ts";
import type { History } from "./history.ts";
import { operationsMax, writtenBytesMax } from "./limits.ts";
import { checkTogether, checkUpdate } from "./update-rules.ts";
import { defined, invalidParameter, type Operation, type OperationUpdate } from "./wire.ts";

export class OperationLog {
  readonly #operations = new Map<string, Operation>();
  readonly #history: History;
  readonly #arn: string;
  readonly #callbackDueMs = new Map<string, number>();
  #changed = new Set<string>();
  #operationCount = 1;
  #writtenBytes: number;

  constructor(execution: Operation, history: History, arn: string) {
    this.#arn = arn;
    this.#operations.set(execution.Id, execution);
    this.#history = history;
    this.#writtenBytes = Buffer.byteLength(execution.ExecutionDetails?.InputPayload ?? "");
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** AWS counts each operation, each retry of a step and each repeated invocation. */
  get operationCount(): number {
    return this.#operationCount;
  }

  countRetry(): void {
    this.#operationCount += 1;
  }

  /**
   * Applies all updates or none.
   *
   * @returns the update of the execution itself, if there is one.
   */
  apply(updates: readonly OperationUpdate[], nowMs: number): OperationUpdate | undefined {
    checkTogether(updates);
    const drafts = new Map<string, Operation>();
    const find = (id: string): Operation | undefined => drafts.get(id) ?? this.#operations.get(id);
    const told: (() => void)[] = [];
    let count = this.#operationCount;
    let bytes = this.#writtenBytes;
    for (const update of updates) {
      const before = find(update.Id);
      checkUpdate(update, before);
      bytes +=
        Buffer.byteLength(update.Payload ?? "") + Buffer.byteLength(JSON.stringify(update.Error) ?? "");
      if (update.Type === "EXECUTION") continue;
      if (update.ParentId !== undefined && find(update.ParentId)?.Type !== "CONTEXT")
        throw invalidParameter("Invalid parent operation id.");
      if (before === undefined || update.Action === "RETRY") count += 1;
      const after = updated(before, update, nowMs, this.#arn);
      drafts.set(update.Id, after);
      const { TimeoutSeconds: timeoutSeconds } = update.CallbackOptions ?? {};
      if (timeoutSeconds !== undefined) {
        told.push(() => this.#callbackDueMs.set(update.Id, nowMs + timeoutSeconds * 1_000));
      }
      told.push(() => this.#history.addUpdate(update, after, nowMs));
    }
    if (count > operationsMax)
      throw invalidParameter(`A durable execution can have at most ${operationsMax} operations.`);
    if (bytes > writtenBytesMax)
      throw invalidParameter(`A durable execution can write at most ${writtenBytesMax} bytes.`);
    this.#operationCount = count;
    this.#writtenBytes = bytes;
    for (const operation of drafts.values()) this.#put(operation);
    for (const tell of told) tell();
    return updates.find(({ Type }) => Type === "EXECUTION");
  }

  elapse(nowMs: number): void {
    for (const operation of this.#operations.values()) {
      const dueMs = this.#dueAtMs(operation);
      if (dueMs === undefined || dueMs > nowMs) continue;
      if (operation.Type === "CALLBACK") {
        this.#put({ ...operation, Status: "TIMED_OUT", EndTimestamp: new Date(nowMs) });
        this.#history.add("CallbackTimedOut", nowMs, {}, operation);
        continue;
      }
      if (operation.Type === "STEP") {
        this.#put({ ...operation, Status: "READY" });
        continue;
      }
      this.#put({ ...operation, Status: "SUCCEEDED", EndTimestamp: new Date(nowMs) });
      const seconds = Math.round((dueMs - operation.StartTimestamp.getTime()) / 1_000);
      this.#history.add("WaitSucceeded", nowMs, { Duration: seconds }, operation);
    }
  }

  /** False means that the callback is over already, or was never started. */
  complete({ operationId, result }: CompletedCallback, nowMs: number): boolean {
    const operation = this.#operations.get(operationId);
    if (operation?.CallbackDetails === undefined || operation.Status !== "STARTED") return false;
    const CallbackDetails = defined({ ...operation.CallbackDetails, Result: result });
    this.#put({ ...operation, Status: "SUCCEEDED", EndTimestamp: new Date(nowMs), CallbackDetails });
    this.#history.add("CallbackSucceeded", nowMs, { Result: defined({ Payload: result }) }, operation);
    return true;
  }

  /** A callback without a timeout is waited for as long as the execution may take. */
  get hasOpenCallback(): boolean {
    return [...this.#operations.values()].some(
      ({ Type: type, Status: status }) => type === "CALLBACK" && status === "STARTED",
    );
  }

  nextDueAtMs(): number | undefined {
    let next: number | undefined;
    for (const operation of this.#operations.values()) {
      const dueMs = this.#dueAtMs(operation);
      if (dueMs !== undefined && (next === undefined || dueMs < next)) next = dueMs;
    }
    return next;
  }

  takeChanged(): readonly Operation[] {
    const changed = [...this.#changed].flatMap((id) => this.#operations.get(id) ?? []);
    this.#changed = new Set();
    return changed;
  }

  /** A replay does not need operations inside closed contexts that are not marked to replay their children. */
  state(): readonly Operation[] {
    const left = new Set<string>();
    return [...this.#operations.values()].filter(({ Id: id, ParentId: parentId }) => {
      const parent = parentId === undefined ? undefined : this.#operations.get(parentId);
      if (parent === undefined) return true;
      const isClosed = parent.Status === "SUCCEEDED" || parent.Status === "FAILED";
      const isLeft = left.has(parent.Id) || (isClosed && parent.ContextDetails?.ReplayChildren !== true);
      if (isLeft) left.add(id);
      return !isLeft;
    });
  }

  #dueAtMs(operation: Operation): number | undefined {
    if (operation.Type === "CALLBACK" && operation.Status === "STARTED") {
      return this.#callbackDueMs.get(operation.Id);
    }
    return dueAtMs(operation);
  }

  #put(operation: Operation): void {
    this.#operations.set(operation.Id, operation);
    this.#changed.add(operation.Id);
  }
}

function dueAtMs({ Type: type, Status: status, WaitDetails, StepDetails }: Operation): number | undefined {
  if (type === "WAIT" && status === "STARTED") return WaitDetails?.ScheduledEndTimestamp.getTime();
  if (type === "STEP" && status === "PENDING") return StepDetails?.NextAttemptTimestamp?.getTime();
  return undefined;
}

const statusAfter = {
  START: "STARTED",
  SUCCEED: "SUCCEEDED",
  FAIL: "FAILED",
  RETRY: "PENDING",
  CANCEL: "CANCELLED",
} as const;

function updated(
  before: Operation | undefined,
  update: OperationUpdate,
  nowMs: number,
  arn: string,
): Operation {
  const { Id, ParentId, Name, SubType, Type, Action } = update;
  const isEnd = Action === "SUCCEED" || Action === "FAIL" || Action === "CANCEL";
  return {
    ...(before ?? { Id, Type, StartTimestamp: new Date(nowMs), ...defined({ ParentId, Name, SubType }) }),
    Status: statusAfter[Action],
    ...(isEnd && { EndTimestamp: new Date(nowMs) }),
    ...(Type === "CALLBACK"
      ? { CallbackDetails: { CallbackId: callbackIdOf(arn, Id) } }
      : details(before, update, nowMs)),
  };
}

function details(before: Operation | undefined, update: OperationUpdate, nowMs: number): Partial<Operation> {
  const { Type: type, Action: action, Payload, Error: error } = update;
  const inSeconds = (seconds = 0): Date => new Date(nowMs + seconds * 1_000);
  if (type === "WAIT") {
    if (action === "CANCEL") return {};
    return { WaitDetails: { ScheduledEndTimestamp: inSeconds(update.WaitOptions?.WaitSeconds) } };
  }
  if (type === "CONTEXT") {
    const ReplayChildren = update.ContextOptions?.ReplayChildren ?? before?.ContextDetails?.ReplayChildren;
    return { ContextDetails: defined({ ReplayChildren, Result: Payload, Error: error }) };
  }
  if (action === "START") return {};
  const Attempt = (before?.StepDetails?.Attempt ?? 0) + 1;
  const NextAttemptTimestamp =
    action === "RETRY" ? inSeconds(update.StepOptions?.NextAttemptDelaySeconds) : undefined;
  return { StepDetails: defined({ Attempt, NextAttemptTimestamp, Result: Payload, Error: error }) };
}
