import { transactionItemsMax } from "../../../vocabulary/table.ts";
import { type JsonObject, jsonBytes } from "../../json.ts";
import { inlineBytesMax } from "../../spill.ts";

/** A transaction takes 4 MB; the rest is ample for the runs' other fields. */
const inputBytesMax = 3_145_728;

/** 20 pools, 20 files, names, and an inline prompt. */
const otherBytes = 6_144 + inlineBytesMax;

/** The run itself, and its place in a queue. */
const itemsPerRun = 2;

/** The attachment, and its row beside the run. */
const itemsPerAttachment = 2;

/**
 * Idempotency record, part mark, session and its place in a queue, the pool set, two counters, uses of a secret, and
 * two to spare.
 */
const itemsBeside = 10;

export function runsPerTransaction(each: {
  readonly required: number;
  readonly attachments: number;
  readonly inputValues: JsonObject;
  readonly sensitiveAliases: readonly string[];
}): number {
  const { required, attachments, inputValues, sensitiveAliases } = each;
  const free = transactionItemsMax - itemsBeside - required;
  const byItems = Math.floor(free / (itemsPerRun + attachments * itemsPerAttachment));
  const bytes = jsonBytes(inputValues) + jsonBytes(sensitiveAliases) + otherBytes;
  return Math.max(1, Math.min(byItems, Math.floor(inputBytesMax / bytes)));
}
