import { randomUUID } from "node:crypto";
import { isoTimestamp } from "../../domain/clock.ts";
import { entryOfRun, entryOfSession } from "../../domain/matching/queue-places.ts";
import type { Run } from "../../domain/run/run.ts";
import type { NewRuns, RequiredKind } from "../../domain/run/run-store.ts";
import type { QueueEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Session } from "../../domain/session/session.ts";
import { overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { transactionItemsMax } from "../../vocabulary/table.ts";
import { type Once, refuseTaken, transactIdempotent } from "../idempotency/transact-idempotent.ts";
import { dequeueWrite, enqueueWrite, registerPoolSetWrite } from "../queue/queue-rows.ts";
import { isPendingAsSeen, parseSession, usedChange } from "../session/session-item.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { check, hasValue, living, update, type Write } from "../table/expression.ts";
import { machineKey, poolKey, sessionKey, workflowKey } from "../table/keys.ts";
import { type Failures, type Parts, writesOf } from "../table/transaction.ts";

export interface Queueing extends Pick<NewRuns, "organizationId" | "runs" | "session" | "required"> {}

type Queued =
  | { readonly kind: "queued" }
  | { readonly kind: "missing"; readonly what: RequiredKind; readonly id: string }
  | { readonly kind: "session_ended"; readonly id: string };

export interface QueueingOutcome<Name extends string> {
  /** Undefined when only conditions of the given parts failed. */
  readonly result: Queued | undefined;
  readonly failed: Name | undefined;
}

const required = "required";

/**
 * A matcher may have removed the queue row of a pending session in which nothing waited, so a run that joins puts it
 * again: the check of a session includes its status, and assumes "active", which needs nothing more.
 *
 * Checks that do not fit are read before; a workflow or pool deleted in between is detected at the assignment.
 *
 * @throws {AlreadyOnRecord}
 */
export async function transactQueueing<Name extends string>(
  table: DynamoTable,
  queueing: Queueing,
  parts: Parts<Name>,
  once: Once,
): Promise<QueueingOutcome<Name>> {
  return await untilWritten<Map<string, Session>, QueueingOutcome<Name>>(table.pacing, {
    what: "the session",
    read: async () => new Map(),
    decide: async (pending) => {
      const queues = queueWrites(queueing, [...pending.values()]);
      const needed = requirements(queueing, pending, isoTimestamp(once.nowMs));
      const own = writesOf(parts).length;
      const room = transactionItemsMax - own - queues.length - (once.idempotency === undefined ? 0 : 1);
      const { checked, read } = whatFits(needed, room);
      const missing = await findMissing(table, read);
      if (missing !== undefined) {
        if (once.idempotency !== undefined) await refuseTaken(table, once.idempotency, once.nowMs);
        return { result: missing, failed: undefined };
      }
      const { failed, failures } = await transactIdempotent<Name | typeof required | "queues">(
        table,
        { ...parts, [required]: checked.map(({ write }) => write), queues },
        once,
      );
      if (failed === undefined) return { result: { kind: "queued" }, failed };
      const result = refusedBy(checked, failures);
      const isOvertaken = noteSessions(checked, failures, pending);
      if (failed !== required && failed !== "queues") return { result, failed };
      return result === undefined && isOvertaken ? overtakenBy(pending) : { result, failed: undefined };
    },
  });
}

/** The first priority run to join a session moves its place. */
function queueWrites(
  { organizationId, runs, session }: Queueing,
  joined: readonly Session[],
): readonly Write[] {
  const moved = joined.filter(({ isPriority }) => !isPriority && hasPriority(runs));
  const joining = joined.map((each) => (moved.includes(each) ? { ...each, isPriority: true } : each));
  const pending = [...(session?.status === "pending" ? [session] : []), ...joining];
  const entries = [...runs.map(entryOfRun), ...pending.map(entryOfSession)];
  const sets = poolSetsOf(entries).map((ids) => registerPoolSetWrite(organizationId, ids, randomUUID()));
  return [...sets, ...moved.map((each) => dequeueWrite(entryOfSession(each))), ...entries.map(enqueueWrite)];
}

function hasPriority(runs: readonly Run[]): boolean {
  return runs.some(({ isPriority }) => isPriority);
}

function poolSetsOf(entries: readonly QueueEntry[]): readonly (readonly string[])[] {
  const sets = new Map<string, readonly string[]>();
  for (const { target } of entries) {
    if (target.kind === "pools") sets.set(target.poolIds.join(" "), target.poolIds);
  }
  return [...sets.values()];
}

interface Requirement {
  readonly what: RequiredKind;
  readonly id: string;
  readonly write: Extract<Write, { readonly kind: "check" | "update" }>;
}

/** Joining a session marks it as used, so that it is not ended as idle at the same time. */
function requirements(
  { organizationId, runs, required: named }: Queueing,
  pending: ReadonlyMap<string, Session>,
  usedAt: string,
): readonly Requirement[] {
  const isThere = (what: RequiredKind, ids: readonly string[], key: typeof workflowKey) =>
    ids.map((id): Requirement => {
      return { what, id, write: check(key(organizationId, id), living) };
    });
  const isAsSeen = (id: string): Requirement => {
    const seen = pending.get(id);
    const isActive = hasValue("status", "active");
    const condition = seen === undefined ? isActive : isPendingAsSeen(seen);
    const change = usedChange(id, usedAt, seen !== undefined && hasPriority(runs));
    return { what: "session", id, write: update(sessionKey(organizationId, id), change, condition) };
  };
  return [
    ...isThere("workflow", named.workflowIds, workflowKey),
    ...isThere("machine", named.machineIds, machineKey),
    ...isThere("pool", named.poolIds, poolKey),
    ...named.sessionIds.map(isAsSeen),
  ];
}

/** Workflows are read rather than pools, because a chain may name forty of them. */
function whatFits(required: readonly Requirement[], room: number) {
  let checked = required;
  for (const what of ["workflow", "pool"] as const) {
    if (checked.length <= room) break;
    checked = checked.filter((each) => each.what !== what);
  }
  return { checked, read: required.filter((each) => !checked.includes(each)) };
}

async function findMissing(table: DynamoTable, read: readonly Requirement[]): Promise<Queued | undefined> {
  if (read.length === 0) return undefined;
  const items = await table.batchGet(
    read.map(({ write }) => write.key),
    ["deleted_at"],
  );
  const living = new Set(
    items.filter((item) => item.deleted_at === undefined).map((item) => String(item.pk)),
  );
  const missing = read.find(({ write }) => !living.has(write.key.pk));
  return missing && { kind: "missing", what: missing.what, id: missing.id };
}

function refusedBy(checked: readonly Requirement[], failures: Failures<typeof required>): Queued | undefined {
  for (const [place, { what, id }] of checked.entries()) {
    if (!failures.has(required, place)) continue;
    const item = failures.item(required, place);
    if (what !== "session" || item === undefined) return { kind: "missing", what, id };
    if (parseSession(item).status === "ended") return { kind: "session_ended", id };
  }
  return undefined;
}

function noteSessions(
  checked: readonly Requirement[],
  failures: Failures<typeof required>,
  pending: Map<string, Session>,
): boolean {
  let isOvertaken = false;
  for (const [place, { what, id }] of checked.entries()) {
    const item = failures.item(required, place);
    if (what !== "session" || item === undefined) continue;
    isOvertaken = true;
    const session = parseSession(item);
    if (session.status === "pending") pending.set(id, session);
    else pending.delete(id);
  }
  return isOvertaken;
}
