import { matchesPattern } from "../../../infra/local/events/event-pattern.ts";
import type { JsonObject } from "../../../infra/local/template/json.ts";
import type { ModelRecord } from "../dynamo-model/dynamo-model.ts";
import type { Random } from "../shared/random.ts";

export interface Batch {
  readonly records: readonly ModelRecord[];
  /** Partition keys whose records no other batch may have meanwhile. */
  readonly partitions: ReadonlySet<string>;
  readonly attempts: number;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * The stream as one function sees it: filtered, in order for each partition key, in any order across keys. A failed
 * batch is delivered again from its first failed record; a successful one may be delivered again, too.
 */
export class StreamFeed {
  readonly #patterns: readonly JsonObject[];
  readonly #queues = new Map<string, ModelRecord[]>();
  readonly #again: Batch[] = [];
  readonly #busy = new Set<string>();

  /** @param patterns of the event source mapping in the template. */
  constructor(patterns: readonly JsonObject[]) {
    this.#patterns = patterns;
  }

  push(record: ModelRecord): void {
    // Without binary attributes a record is the JSON that Lambda filters.
    const event = record as unknown as JsonObject;
    if (!this.#patterns.some((pattern) => matchesPattern(pattern, event))) return;
    const partition = record.dynamodb.Keys.pk?.S ?? "";
    const queue = this.#queues.get(partition) ?? [];
    queue.push(record);
    this.#queues.set(partition, queue);
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0 && this.#again.length === 0;
  }

  /** Takes a batch; undefined when none can be delivered now. */
  take(random: Random, recordsMax: number): Batch | undefined {
    const free = [...this.#queues.keys()].filter((partition) => !this.#busy.has(partition));
    const isRepeat = this.#again.length > 0 && (free.length === 0 || random.chance(0.5));
    const batch = isRepeat
      ? this.#again.splice(random.int(0, this.#again.length - 1), 1)[0]
      : this.#fresh(random, free, recordsMax);
    for (const partition of batch?.partitions ?? []) this.#busy.add(partition);
    return batch;
  }

  #fresh(random: Random, partitions: readonly string[], recordsMax: number): Batch | undefined {
    if (partitions.length === 0) return undefined;
    const size = random.int(1, recordsMax);
    const records: ModelRecord[] = [];
    const chosen = new Set<string>();
    for (let left = [...partitions]; left.length > 0 && records.length < size; ) {
      const partition = random.pick(left);
      const queue = this.#queues.get(partition);
      const record = queue?.shift();
      if (record !== undefined) {
        records.push(record);
        chosen.add(partition);
      }
      if (queue === undefined || queue.length === 0) {
        this.#queues.delete(partition);
        left = left.filter((one) => one !== partition);
      }
    }
    return { records, partitions: chosen, attempts: 0 };
  }

  /** @param response undefined when the function died, or threw. */
  settle(batch: Batch, response: BatchResponse | undefined, comesAgain: boolean): void {
    const failed = response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) ?? [];
    const first = batch.records.findIndex(({ dynamodb }) => failed.includes(dynamodb.SequenceNumber ?? ""));
    const isDone = response !== undefined && failed.length === 0;
    if (isDone && !comesAgain) {
      for (const partition of batch.partitions) this.#busy.delete(partition);
      return;
    }
    // The batch's partitions stay busy, so that later records do not overtake it.
    const records = batch.records.slice(response === undefined || isDone ? 0 : Math.max(first, 0));
    this.#again.push({ ...batch, records, attempts: batch.attempts + 1 });
  }
}
