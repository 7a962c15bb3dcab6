import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { InvokeResult } from "../lambda/invoke-result.ts";
import type { EventSourceModel } from "../template/application.ts";
import { afterFailure, createdAtMs, type PendingBatch, readBatchOutcome } from "./batch.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { matchesPattern } from "./event-pattern.ts";
import { type FailedBatch, failedBatchMessage } from "./failed-batch.ts";
import { Lanes } from "./lanes.ts";
import type { ShardPosition, StreamClient, StreamRecord } from "./stream-client.ts";

/** Without a pause after a write, each record would be read by itself. */
const pauseDefaultMs = 50;

/** Lambda reads each shard four times a second. On an idle shard that finds only what was written past the endpoint. */
const lambdaPauseDefaultMs = 250;

/**
 * After so many reads in a row that all had something for the function, batches become fuller at Lambda's own pace; after
 * as many that had only what its filters drop, further ones would be for nothing. Both leave processors to the callers.
 */
const steadyReads = 20;

/** After a read of at least this many records, more are probably waiting. */
const manyRecords = 100;

/** Lambda does not publish its pauses between retries. */
const firstRetryPauseDefaultMs = 100;
const retryPauseMsMax = 5_000;

export type StreamEventSourceInput = {
  readonly source: EventSourceModel;
  readonly localStreamArn: string;
  readonly functionArn: string;
  readonly region: string;
  readonly client: Pick<StreamClient, "shards" | "iterator" | "records">;
  readonly invoke: (event: unknown) => Promise<InvokeResult>;
  readonly sendToQueue: (queueArn: string, body: string) => void;
  readonly checkpoints: Checkpoints;
  readonly report: (problem: string) => void;
  readonly pauseMs?: number;
  readonly lambdaPauseMs?: number;
  readonly firstRetryPauseMs?: number;
};

export class StreamEventSource {
  readonly #input: StreamEventSourceInput;
  readonly #stopping = new AbortController();
  readonly #drained = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #idle = new Set<AbortController>();
  #writes = 0;
  #watching: Promise<void> | undefined;

  constructor(input: StreamEventSourceInput) {
    this.#input = input;
  }

  start(): void {
    if (this.#input.source.enabled) this.#watching ??= this.#watchShards();
  }

  /** The table has been written: an idle shard is read at once. */
  wake(): void {
    this.#writes += 1;
    for (const idle of this.#idle) idle.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#watching;
    await Promise.all(this.#running.values());
    this.#input.checkpoints.save();
  }

  get #lambdaPauseMs(): number {
    return this.#input.lambdaPauseMs ?? lambdaPauseDefaultMs;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #watchShards(): Promise<void> {
    while (!this.#isStopping) {
      await this.#attempt("reading the shards", () => this.#startShards());
      this.#input.checkpoints.save();
      await this.#pause(1_000);
    }
  }

  /** A shard is read once its parent has been read to the end, so that changes of one item stay in order. */
  async #startShards(): Promise<void> {
    const shards = await this.#input.client.shards(this.#input.localStreamArn);
    const known = new Set(shards.map(({ shardId }) => shardId));
    for (const { shardId, parentShardId } of shards) {
      if (this.#running.has(shardId) || this.#drained.has(shardId)) continue;
      if (parentShardId !== undefined && known.has(parentShardId) && !this.#drained.has(parentShardId))
        continue;
      const reading = this.#readShard(shardId).finally(() => this.#running.delete(shardId));
      this.#running.set(shardId, reading);
    }
  }

  async #readShard(shardId: string): Promise<void> {
    let iterator: string | undefined;
    const lanes = this.#lanesOf(shardId);
    let writes = this.#writes;
    let steady = 0;
    let wasWanted = false;
    while (!this.#isStopping) {
      const isWritten = writes !== this.#writes;
      writes = this.#writes;
      let found = 0;
      let isWanted = false;
      const failed = await this.#attempt(`reading ${shardId}`, async () => {
        iterator ??= await this.#openShard(shardId);
        const page = await this.#input.client.records(iterator);
        isWanted = await this.#handOn(lanes, page.records);
        if (page.next === undefined) {
          await lanes.settled();
          if (!this.#isStopping) this.#drained.add(shardId);
        }
        iterator = page.next;
        found = page.records.length;
      });
      if (failed) {
        // Batches under way are not read again.
        await lanes.settled();
        iterator = undefined;
      }
      if (found === 0 || isWanted !== wasWanted) steady = 0;
      if (found > 0) steady += 1;
      wasWanted = isWanted;
      if (this.#drained.has(shardId)) {
        await this.#attempt("reading the shards", () => this.#startShards());
        return;
      }
      if (failed) await this.#pause(1_000);
      else if (found === 0 && !isWritten) await this.#untilWritten(writes);
      else if (steady >= steadyReads) await this.#pause(this.#lambdaPauseMs);
      else if (found < manyRecords) await this.#pause(this.#input.pauseMs ?? pauseDefaultMs);
    }
    await lanes.settled();
  }

  async #openShard(shardId: string): Promise<string> {
    const { client, localStreamArn, checkpoints, source } = this.#input;
    const sequenceNumber = checkpoints.find(source.address, shardId);
    const start: ShardPosition = { from: source.startingPosition };
    if (sequenceNumber === undefined) return await client.iterator(localStreamArn, shardId, start);
    try {
      return await client.iterator(localStreamArn, shardId, {
        from: "AFTER_SEQUENCE_NUMBER",
        sequenceNumber,
      });
    } catch (error) {
      // The stream keeps records for a day, and those after the checkpoint are older.
      if (!(error instanceof Error) || error.name !== "TrimmedDataAccessException") throw error;
      return await client.iterator(localStreamArn, shardId, { from: "TRIM_HORIZON" });
    }
  }

  #lanesOf(shardId: string): Lanes {
    const { source, checkpoints } = this.#input;
    return new Lanes({
      count: source.parallelizationFactor,
      batchSize: source.batchSize,
      handle: (records) => this.#handle(shardId, records),
      onDone: (sequenceNumber) => checkpoints.set(source.address, shardId, sequenceNumber),
    });
  }

  /** @returns whether any of it is for the function. */
  async #handOn(lanes: Lanes, read: readonly StreamRecord[]): Promise<boolean> {
    const { source, region } = this.#input;
    const records = read.map(
      (record): StreamRecord => ({ ...record, awsRegion: region, eventSourceARN: source.sourceArn }),
    );
    const isWanted = (record: StreamRecord) =>
      source.filters.length === 0 || source.filters.some((filter) => matchesPattern(filter, record));
    const wanted = new Set(records.filter(isWanted));
    await lanes.add(records, wanted);
    return wanted.size > 0;
  }

  async #handle(shardId: string, records: readonly StreamRecord[]): Promise<boolean> {
    const { source, invoke } = this.#input;
    const queue: PendingBatch[] = [{ records, tries: 0 }];
    let failures = 0;
    for (let batch = queue.shift(); batch !== undefined && !this.#isStopping; batch = queue.shift()) {
      const due = this.#withoutExpired(shardId, batch);
      if (due.records.length === 0) continue;
      const result = await invoke({ Records: due.records });
      if (this.#isStopping) return false;
      const outcome = readBatchOutcome(source, due.records, result);
      if (outcome.kind === "done") continue;
      failures += 1;
      this.#input.report(`${source.address}: ${describe(result)}`);
      const next = afterFailure(source, due, outcome);
      const [first] = next;
      const isExhausted = source.retryAttemptsMax >= 0 && (first?.tries ?? 0) > source.retryAttemptsMax;
      if (first !== undefined && isExhausted) this.#discard(shardId, first, "RetryAttemptsExhausted");
      else queue.unshift(...next);
      await this.#pause(this.#retryPauseMs(failures));
    }
    return !this.#isStopping;
  }

  #retryPauseMs(failures: number): number {
    const first = this.#input.firstRetryPauseMs ?? firstRetryPauseDefaultMs;
    return Math.min(retryPauseMsMax, first * 2 ** (failures - 1));
  }

  #withoutExpired(shardId: string, batch: PendingBatch): PendingBatch {
    const { recordAgeSecondsMax } = this.#input.source;
    if (recordAgeSecondsMax < 0) return batch;
    const oldestMs = Date.now() - recordAgeSecondsMax * 1_000;
    const expired = batch.records.filter((record) => createdAtMs(record) < oldestMs);
    if (expired.length === 0) return batch;
    this.#discard(shardId, { ...batch, records: expired }, "MaximumRecordAgeExceeded");
    return { ...batch, records: batch.records.filter((record) => createdAtMs(record) >= oldestMs) };
  }

  #discard(shardId: string, batch: PendingBatch, condition: FailedBatch["condition"]): void {
    const { source, functionArn, sendToQueue, report } = this.#input;
    report(`${source.address}: ${batch.records.length} records are given up (${condition})`);
    if (source.onFailureArn === undefined) return;
    const failed: FailedBatch = {
      source,
      functionArn,
      shardId,
      condition,
      records: batch.records,
      tries: batch.tries,
      requestId: randomUUID(),
      nowMs: Date.now(),
    };
    sendToQueue(source.onFailureArn, failedBatchMessage(failed));
  }

  async #attempt(what: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return false;
    } catch (error) {
      if (!this.#isStopping)
        this.#input.report(`${this.#input.source.address}: ${what} failed: ${String(error)}`);
      return true;
    }
  }

  async #untilWritten(since: number): Promise<void> {
    if (this.#writes !== since) return;
    const woken = new AbortController();
    this.#idle.add(woken);
    await this.#pause(this.#lambdaPauseMs, woken.signal);
    this.#idle.delete(woken);
  }

  async #pause(ms: number, signal: AbortSignal = this.#stopping.signal): Promise<void> {
    try {
      await pause(ms, undefined, { signal });
    } catch {
      // Stopping ends every pause, and a write those of idle shards.
    }
  }
}

function describe(result: InvokeResult): string {
  return result.ok
    ? "the function reported failed records"
    : `${result.error.errorType}: ${result.error.errorMessage}`;
}
