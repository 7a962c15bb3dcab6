import type { EventSourceModel } from "../template/application.ts";
import { createdAtMs, sequenceNumberOf } from "./batch.ts";
import type { StreamRecord } from "./stream-client.ts";

export type FailedBatch = {
  readonly source: EventSourceModel;
  readonly functionArn: string;
  readonly shardId: string;
  readonly records: readonly StreamRecord[];
  readonly tries: number;
  readonly condition: "RetryAttemptsExhausted" | "MaximumRecordAgeExceeded";
  readonly requestId: string;
  readonly nowMs: number;
};

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
export function failedBatchMessage(failed: FailedBatch): string {
  const { records, source } = failed;
  const [first] = records;
  const last = records.at(-1);
  const sequenceNumber = (record: StreamRecord | undefined): string =>
    record === undefined ? "" : sequenceNumberOf(record);
  const arrival = (record: StreamRecord | undefined): string =>
    new Date(record === undefined ? 0 : createdAtMs(record)).toISOString();
  return JSON.stringify({
    requestContext: {
      requestId: failed.requestId,
      functionArn: failed.functionArn,
      condition: failed.condition,
      approximateInvokeCount: failed.tries,
    },
    responseContext: { statusCode: 200, executedVersion: "$LATEST", functionError: "Unhandled" },
    version: "1.0",
    timestamp: new Date(failed.nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId: failed.shardId,
      startSequenceNumber: sequenceNumber(first),
      endSequenceNumber: sequenceNumber(last),
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn: source.sourceArn,
    },
  });
}
