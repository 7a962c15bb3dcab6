import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CreateRunsOutcome, NewRuns, RecordedResponse } from "../../domain/run/run-store.ts";
import type { Session } from "../../domain/session/session.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { recordExpiry } from "../idempotency/idempotency-record.ts";
import { sessionItem } from "../session/session-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { isNew, put, type Write } from "../table/expression.ts";
import { requestPartKey } from "../table/keys.ts";
import { runItem } from "./run-item.ts";
import { newMetadataWrites } from "./run-metadata.ts";
import { transactQueueing } from "./run-queueing.ts";
import { secretWrite } from "./run-secret.ts";

/** @throws {AlreadyOnRecord} */
export async function writeNewRuns(
  table: DynamoTable,
  news: NewRuns,
  answer: RecordedResponse | undefined,
  nowMs: number,
): Promise<CreateRunsOutcome> {
  const once = { idempotency: answer?.idempotency, result: answer?.result, nowMs };
  const { failed, result } = await transactQueueing(
    table,
    news,
    await creationParts(table, news, nowMs),
    once,
  );
  // Completed work stays, whatever has gone missing since.
  if (failed === "part") return { kind: "repeated" };
  if (result === undefined)
    throw new Error("a run, an attachment or a session with this id is there already");
  return result.kind === "queued" ? { kind: "created" } : result;
}

/** `beside` is written in the same transaction; its failed condition is checked before any other. */
export async function writeNewRunsBeside(
  table: DynamoTable,
  news: NewRuns,
  beside: Write,
  nowMs: number,
): Promise<CreateRunsOutcome | { readonly kind: "beside_failed" } | { readonly kind: "there_already" }> {
  const parts = { beside, ...(await creationParts(table, news, nowMs)) };
  const once = { idempotency: undefined, result: undefined, nowMs };
  const { failed, result } = await transactQueueing(table, news, parts, once);
  if (failed === "beside") return { kind: "beside_failed" };
  if (result === undefined) return { kind: "there_already" };
  return result.kind === "queued" ? { kind: "created" } : result;
}

async function creationParts(table: DynamoTable, news: NewRuns, nowMs: number) {
  const { organizationId, runs, attachments, session, part } = news;
  return {
    part: part && partWrite(organizationId, part, nowMs),
    session: newSessionWrite(session),
    runs: runs.map((run) => put(runItem(run), isNew)),
    attachments: attachments.flatMap(attachmentWrites),
    counts: [...countWrites("RUN", runs), ...countWrites("ATTACHMENT", attachments)],
    secret: await secretWrite(table, news, runs, nowMs),
    metadata: await newMetadataWrites(table, runs),
  };
}

export function newSessionWrite(session: Session | undefined): Write | undefined {
  return session && put(sessionItem(session), isNew);
}

function partWrite(organizationId: OrganizationId, part: NonNullable<NewRuns["part"]>, nowMs: number): Write {
  const key = requestPartKey(organizationId, part.idempotencyId, part.number);
  return put({ ...key, kind: "request_part", ttl: recordExpiry(nowMs).ttl }, isNew);
}
