import type { DynamoDBBatchResponse, StreamRecord } from "aws-lambda";
import type { EventPublisher } from "../../shared/domain/events/event-publisher.ts";
import type { ServiceEvent } from "../../shared/domain/events/service-event.ts";
import {
  type StartExecutionDeps,
  startExecution,
} from "../../shared/domain/execution/engine/start-execution.ts";
import type { HintsDue } from "../../shared/domain/live/note-changes.ts";
import { type SendHintsDeps, sendHints } from "../../shared/domain/live/send-hints.ts";
import type { Logger } from "../../shared/domain/logger.ts";
import { type FinishDeletionDeps, finishDeletion } from "../../shared/domain/maintenance/deletions.ts";
import type { TableChange } from "../../shared/domain/maintenance/table-change.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import type { RunStore } from "../../shared/domain/run/run-store.ts";
import {
  FailedRecords,
  type FailedRecordsDeps,
  type StreamEvent,
} from "../../shared/domain/stream/failed-records.ts";
import type { CountedRun, UsageStore } from "../../shared/domain/usage/usage.ts";
import { type HintViewersDeps, hintViewers } from "./hint-viewers.ts";
import { type KeepLinesDeps, keepLines } from "./keep-lines.ts";
import { presentEvent } from "./present-event.ts";
import { type QueueWebhooksDeps, queueWebhooks } from "./queue-webhooks.ts";

export interface TableRecord {
  readonly dynamodb?: Pick<StreamRecord, "SequenceNumber"> | undefined;
}

export type ProjectorDeps<R extends TableRecord> = FinishDeletionDeps &
  KeepLinesDeps<R> &
  QueueWebhooksDeps<R> &
  StartExecutionDeps &
  FailedRecordsDeps<R> &
  HintViewersDeps<R> &
  SendHintsDeps & {
    readonly runs: Pick<RunStore, "releaseSecret" | "find">;
    readonly readChange: (record: R) => TableChange | undefined;
    readonly readEndedRun: (record: R) => CountedRun | undefined;
    readonly usage: Pick<UsageStore, "count">;
    readonly readEvents: (record: R) => readonly ServiceEvent[];
    readonly events: EventPublisher;
    /** Decrements the organization's connection count for an expired row. Idempotent. */
    readonly settleExpired: (organizationId: OrganizationId, connectionId: string) => Promise<void>;
    readonly logger: Logger;
  };

/**
 * Each record is tried even if earlier ones failed. Where AWS was away the stream retries from the first failure, and
 * repeating the others is harmless; all others that fail are set aside.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function createProjector<R extends TableRecord>(
  deps: ProjectorDeps<R>,
): (event: StreamEvent<R> | HintsDue) => Promise<DynamoDBBatchResponse> {
  return async (event) => {
    if (!("hints" in event)) return await projectBatch(deps, event);
    await sendHints(deps, event.hints);
    return { batchItemFailures: [] };
  };
}

async function projectBatch<R extends TableRecord>(
  deps: ProjectorDeps<R>,
  batch: StreamEvent<R>,
): Promise<DynamoDBBatchResponse> {
  const { Records: records } = batch;
  const failed = new FailedRecords<R>(deps);
  const attempt = async (about: readonly R[], work: () => Promise<void>) => {
    try {
      await work();
    } catch (cause) {
      for (const record of about) failed.add(record, cause);
    }
  };
  const hinted = hintViewers(deps, records, attempt);
  const read: { readonly record: R; readonly event: ServiceEvent }[] = [];
  for (const record of records) {
    await attempt([record], async () => {
      for (const event of deps.readEvents(record)) read.push({ record, event });
    });
  }
  // Events are published before slow work, so that none waits for a large deletion.
  const refused = await deps.events.publish(read.map(({ event }) => presentEvent(event)));
  for (const { id, type, cause } of refused) {
    for (const { record, event } of read) if (event.id === id) failed.add(record, cause, { type });
  }
  await queueWebhooks(deps, read, attempt);
  await keepLines(deps, records, attempt);
  for (const record of records) {
    await attempt([record], async () => {
      const ended = deps.readEndedRun(record);
      if (ended) await deps.usage.count(ended);
      const change = deps.readChange(record);
      if (change) await project(deps, change);
    });
  }
  await hinted;
  const again = await failed.settle(batch);
  return {
    batchItemFailures: again.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? "" })),
  };
}

async function project<R extends TableRecord>(deps: ProjectorDeps<R>, change: TableChange): Promise<void> {
  const { organizationId } = change;
  switch (change.kind) {
    case "connection_expired":
      return await deps.settleExpired(organizationId, change.connectionId);
    case "deleted": {
      const { entity, id } = change;
      if (!(await finishDeletion(deps, entity, organizationId, id))) return;
      deps.logger.info("deletion finished", { organization_id: organizationId, [`${entity}_id`]: id });
      return;
    }
    case "execution_due":
      // The matcher has already started it, unless it was interrupted.
      await startExecution(deps, change.job);
      return;
    case "run_ended":
      return await deps.runs.releaseSecret(organizationId, change.runId, change.secretId);
    case "objects_replaced":
      for (const key of change.objectKeys) await deps.files.remove(key);
      return;
  }
}
