import type { InvokeResult } from "../lambda/invoke-result.ts";
import { syncRequestBytesMax } from "../lambda/limits.ts";
import type { EventSourceModel } from "../template/application.ts";
import { asList, asObject, isObject, optionalNumber, optionalString } from "../template/json.ts";
import type { StreamRecord } from "./stream-client.ts";

export function sequenceNumberOf(record: StreamRecord): string {
  return optionalString(asObject(record.dynamodb).SequenceNumber) ?? "";
}

/** DynamoDB's timestamps are in seconds. */
export function createdAtMs(record: StreamRecord): number {
  return (optionalNumber(asObject(record.dynamodb).ApproximateCreationDateTime) ?? 0) * 1_000;
}

/** The rest is for `{"Records":[]}`. */
const batchBytesMax = syncRequestBytesMax - 1_000;

export function cutIntoBatches(
  records: readonly StreamRecord[],
  batchSize: number,
  bytesMax: number = batchBytesMax,
): readonly (readonly StreamRecord[])[] {
  const batches: StreamRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const recordBytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    const current = batches.at(-1);
    if (current === undefined || current.length >= batchSize || bytes + recordBytes > bytesMax) {
      batches.push([record]);
      bytes = recordBytes;
    } else {
      current.push(record);
      bytes += recordBytes;
    }
  }
  return batches;
}

export type BatchOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly from: number; readonly isThrottled: boolean };

/**
 * An identifier that is not in the batch fails the whole batch.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function readBatchOutcome(
  source: Pick<EventSourceModel, "reportsBatchItemFailures">,
  records: readonly StreamRecord[],
  result: InvokeResult,
): BatchOutcome {
  if (!result.ok) return { kind: "failed", from: 0, isThrottled: result.kind === "throttled" };
  if (!source.reportsBatchItemFailures || !isObject(result.payload)) return { kind: "done" };
  const failures = asList(result.payload.batchItemFailures);
  if (failures.length === 0) return { kind: "done" };
  const positions = failures.map((failure) => {
    const identifier = asObject(failure).itemIdentifier;
    return records.findIndex((record) => sequenceNumberOf(record) === identifier);
  });
  return { kind: "failed", from: positions.includes(-1) ? 0 : Math.min(...positions), isThrottled: false };
}

export type PendingBatch = { readonly records: readonly StreamRecord[]; readonly tries: number };

/**
 * Bisecting does not count as a retry.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function afterFailure(
  source: Pick<EventSourceModel, "bisectsOnError">,
  batch: PendingBatch,
  outcome: Extract<BatchOutcome, { kind: "failed" }>,
): readonly PendingBatch[] {
  const remaining = batch.records.slice(outcome.from);
  if (outcome.isThrottled) return [{ records: remaining, tries: batch.tries }];
  if (!source.bisectsOnError || remaining.length === 1)
    return [{ records: remaining, tries: batch.tries + 1 }];
  if (outcome.from > 0) return [{ records: remaining, tries: batch.tries }];
  const middle = Math.ceil(remaining.length / 2);
  return [
    { records: remaining.slice(0, middle), tries: batch.tries },
    { records: remaining.slice(middle), tries: batch.tries },
  ];
}
