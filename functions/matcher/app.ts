import type { DynamoDBBatchResponse, StreamRecord } from "aws-lambda";
import { matchChanges } from "../../shared/domain/matching/match-changes.ts";
import type { MatchDeps } from "../../shared/domain/matching/match-deps.ts";
import { OutOfTime } from "../../shared/domain/matching/match-round.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import {
  FailedRecords,
  type FailedRecordsDeps,
  type StreamEvent,
} from "../../shared/domain/stream/failed-records.ts";

interface TableRecord {
  readonly dynamodb?: Pick<StreamRecord, "SequenceNumber" | "ApproximateCreationDateTime"> | undefined;
}

export interface MatcherDeps<R extends TableRecord> extends MatchDeps, FailedRecordsDeps<R> {
  readonly readTrigger: (record: R) => MatchTrigger | undefined;
}

export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/**
 * Records for which no time was left, or AWS was away, are reported as failed: the stream retries from the first of
 * them. All others that fail are set aside.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function createMatcher<R extends TableRecord>(
  deps: MatcherDeps<R>,
): (event: StreamEvent<R>, context: InvocationContext) => Promise<DynamoDBBatchResponse> {
  const isPassing = (cause: unknown): boolean => cause instanceof OutOfTime || deps.isPassing(cause);
  return async (batch, context) => {
    const { Records: records } = batch;
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis();
    const failed = new FailedRecords<R>({ ...deps, isPassing });
    const read = new Map<MatchTrigger, R>();
    for (const record of records) {
      try {
        const trigger = deps.readTrigger(record);
        if (trigger) read.set(trigger, record);
      } catch (cause) {
        failed.add(record, cause);
      }
    }
    const unmatched = await matchChanges(deps, [...read.keys()], deadlineMs, oldestMs(records));
    for (const [trigger, cause] of unmatched) {
      const record = read.get(trigger);
      const organization = trigger.kind === "place_freed" ? {} : { organization_id: trigger.organizationId };
      const fields = { ...organization, change: trigger.kind };
      if (record !== undefined) failed.add(record, cause, fields);
    }
    const again = await failed.settle(batch);
    return {
      batchItemFailures: again.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? "" })),
    };
  };
}

/** The stream's timestamps are whole seconds. */
function oldestMs(records: readonly TableRecord[]): number | undefined {
  const seconds = records.flatMap(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime ?? []);
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1_000;
}
