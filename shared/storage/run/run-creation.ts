import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CreateRunsOutcome, NewRuns, RecordedResponse } from "../../domain/run/run-store.ts";
import type { Session } from "../../domain/session/session.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { sessionItem } from "../session/session-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { isNew, type Write } from "../table/expression.ts";
import { recordExpiry } from "../table/idempotency-record.ts";
import { requestPartKey } from "../table/keys.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";
import { secretWrites } from "./run-secret.ts";

/**
 * Creates the runs and puts each in its queue.
 *
 * @throws {AlreadyOnRecord}
 */
export async function writeNewRuns(
  table: DynamoTable,
  news: NewRuns,
  answer: RecordedResponse | undefined,
  nowMs: number,
): Promise<CreateRunsOutcome> {
  const once = { idempotency: answer?.idempotency, result: answer?.result, nowMs };
  const writes = [...creationWrites(news, nowMs), ...(await secretWrites(table, news, news.runs, nowMs))];
  const { failed, result } = await transactQueueing(table, news, writes, once);
  // Work that is done stays done, whatever has gone missing since.
  if (news.part !== undefined && failed.has(0)) return { kind: "repeated" };
  if (result === undefined)
    throw new Error("a run, an attachment or a session with this id is there already");
  return result.kind === "queued" ? { kind: "created" } : result;
}

function creationWrites(news: NewRuns, nowMs: number): readonly Write[] {
  const { organizationId, runs, attachments, session, part } = news;
  return [
    ...(part === undefined ? [] : [partWrite(organizationId, part, nowMs)]),
    ...newSessionWrites(session),
    ...runs.map((run): Write => ({ kind: "put", item: runItem(run), condition: isNew })),
    ...attachments.flatMap(attachmentWrites),
    ...countWrites("RUN", runs),
    ...countWrites("ATTACHMENT", attachments),
  ];
}

export function newSessionWrites(session: Session | undefined): readonly Write[] {
  return session === undefined ? [] : [{ kind: "put", item: sessionItem(session), condition: isNew }];
}

function partWrite(organizationId: OrganizationId, part: NonNullable<NewRuns["part"]>, nowMs: number): Write {
  const key = requestPartKey(organizationId, part.idempotencyId, part.number);
  return {
    kind: "put",
    item: { ...key, kind: "request_part", ttl: recordExpiry(nowMs).ttl },
    condition: isNew,
  };
}
