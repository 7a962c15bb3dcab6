import type { DynamoDBBatchResponse, StreamRecord } from "aws-lambda";
import { matchChanges } from "../../shared/domain/matching/match-changes.ts";
import type { MatchDeps } from "../../shared/domain/matching/match-deps.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";

/** A record of the table's stream, parsed by `readTrigger`. */
interface TableRecord {
  readonly dynamodb?: Pick<StreamRecord, "SequenceNumber" | "ApproximateCreationDateTime"> | undefined;
}

export interface MatcherDeps<R extends TableRecord> extends MatchDeps {
  readonly readTrigger: (record: R) => MatchTrigger | undefined;
}

/** The part of Lambda's context that is used. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/**
 * Matches runs and machines. Records that failed, or for which no time was left, are reported as failed: the stream
 * retries from the first of them.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function createMatcher<R extends TableRecord>(
  deps: MatcherDeps<R>,
): (event: { readonly Records: readonly R[] }, context: InvocationContext) => Promise<DynamoDBBatchResponse> {
  return async (event, context) => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis();
    const sequenceNumbers = new Map<MatchTrigger, string>();
    const unread: string[] = [];
    for (const record of event.Records) {
      const sequenceNumber = record.dynamodb?.SequenceNumber ?? "";
      try {
        const trigger = deps.readTrigger(record);
        if (trigger) sequenceNumbers.set(trigger, sequenceNumber);
      } catch (cause) {
        deps.logger.error("a record of the table's stream cannot be read", {
          sequence_number: sequenceNumber,
          cause,
        });
        unread.push(sequenceNumber);
      }
    }
    const failed = await matchChanges(deps, [...sequenceNumbers.keys()], deadlineMs, oldestMs(event.Records));
    const failures = [...unread, ...[...failed].map((trigger) => sequenceNumbers.get(trigger) ?? "")];
    return { batchItemFailures: failures.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Streams know the second. */
function oldestMs(records: readonly TableRecord[]): number | undefined {
  const seconds = records.flatMap(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime ?? []);
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1_000;
}
