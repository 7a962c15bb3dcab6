import { createHash } from "node:crypto";
import { asObject } from "../template/json.ts";
import { cutIntoBatches, sequenceNumberOf } from "./batch.ts";
import type { StreamRecord } from "./stream-client.ts";

export interface LanesOptions {
  readonly count: number;
  readonly batchSize: number;
  /** @returns false while stopping, otherwise whether the batch is done or given up. */
  readonly handle: (records: readonly StreamRecord[]) => Promise<boolean>;
  readonly onDone: (sequenceNumber: string) => void;
}

/**
 * Changes of one partition key stay in one lane, and in order there.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes: StreamRecord[][];
  readonly #working = new Map<number, Promise<void>>();
  readonly #open: StreamRecord[] = [];
  readonly #done = new Set<StreamRecord>();

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.count }, () => []);
  }

  async add(records: readonly StreamRecord[], wanted: ReadonlySet<StreamRecord>): Promise<void> {
    this.#open.push(...records);
    for (const record of records) {
      if (wanted.has(record)) this.#lanes[this.#laneOf(record)]?.push(record);
      else this.#done.add(record);
    }
    this.#advance();
    for (const [lane, left] of this.#lanes.entries()) {
      if (left.length > 0 && !this.#working.has(lane)) this.#working.set(lane, this.#work(lane, left));
    }
    const { count, batchSize } = this.#options;
    while (this.#open.length > count * batchSize && this.#working.size > 0) {
      await Promise.race(this.#working.values());
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  #laneOf(record: StreamRecord): number {
    const partition = JSON.stringify(asObject(asObject(record.dynamodb).Keys).pk ?? null);
    return createHash("md5").update(partition).digest().readUInt32BE(0) % this.#lanes.length;
  }

  async #work(lane: number, left: StreamRecord[]): Promise<void> {
    try {
      while (left.length > 0) {
        const [batch = []] = cutIntoBatches(left.slice(0, this.#options.batchSize), this.#options.batchSize);
        if (!(await this.#options.handle(batch))) {
          left.length = 0;
          return;
        }
        left.splice(0, batch.length);
        for (const record of batch) this.#done.add(record);
        this.#advance();
      }
    } finally {
      this.#working.delete(lane);
    }
  }

  #advance(): void {
    let last: StreamRecord | undefined;
    for (let first = this.#open[0]; first !== undefined && this.#done.has(first); first = this.#open[0]) {
      this.#done.delete(first);
      last = this.#open.shift();
    }
    if (last !== undefined) this.#options.onDone(sequenceNumberOf(last));
  }
}
