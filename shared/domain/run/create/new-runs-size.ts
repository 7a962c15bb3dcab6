import type { JsonObject } from "../../json.ts";
import { jsonBytes } from "../../spill.ts";

/**
 * Items of one transaction.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const itemsMax = 100;

/** A transaction takes 4 MB; what every run has besides its inputs is far below the rest. */
const inputBytesMax = 3_145_728;

/** What a run's other fields come to at most: 20 pools, 20 files, names. */
const otherBytes = 6_144;

/** The run itself, and its place in a queue. */
const itemsPerRun = 2;

/** The attachment, and its row beside the run. */
const itemsPerAttachment = 2;

/**
 * Besides: idempotency record, part mark, session and its place in a queue, the set of pools, two counters, uses of a secret, and
 * two to spare.
 */
const itemsBeside = 10;

/** What comes about in one transaction. */
export interface NewRunsShape {
  readonly runs: number;
  readonly attachments: number;
  /** Workflows, machines, pools and sessions that must be there. */
  readonly required: number;
}

/** Items left in the transaction that makes them; below zero it takes too many. */
export function itemsLeft({ runs, attachments, required }: NewRunsShape): number {
  return itemsMax - itemsBeside - required - runs * itemsPerRun - attachments * itemsPerAttachment;
}

/** How many runs alike fit one transaction: at least one. */
export function runsPerTransaction(each: {
  readonly required: number;
  readonly attachments: number;
  readonly inputValues: JsonObject;
  readonly sensitiveAliases: readonly string[];
}): number {
  const { required, attachments, inputValues, sensitiveAliases } = each;
  const free = itemsLeft({ runs: 0, attachments: 0, required });
  const byItems = Math.floor(free / (itemsPerRun + attachments * itemsPerAttachment));
  const bytes = jsonBytes(inputValues) + jsonBytes(sensitiveAliases) + otherBytes;
  return Math.max(1, Math.min(byItems, Math.floor(inputBytesMax / bytes)));
}
