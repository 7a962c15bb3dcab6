import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { type IdleMachine, idOf, type QueueEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import {
  allOf,
  type Condition,
  hasValue,
  isLiving,
  put,
  remove,
  update,
  type Write,
} from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { idleKey, poolSetKey, queueKey } from "../table/keys.ts";
import { kept, maybe, number, oneOf, row, tenant, text, texts } from "../table/row.ts";

/** The stream's filters recognize the row by this kind. */
export const queueKind = "queue";

interface QueueRow {
  readonly organizationId: OrganizationId;
  readonly queuedAtMs: number;
  /** A row has either this or `waitingSessionId`. */
  readonly runId?: string;
  readonly waitingSessionId?: string;
  readonly chainId?: string;
  readonly workflowId?: string;
  readonly poolIds?: readonly string[];
  readonly earlierRunIds?: readonly string[];
  readonly hasSecret?: true;
  readonly executor?: "service";
  readonly triedMachineId?: string;
  readonly isPriority?: true;
  /** Without a target any machine will do. */
  readonly targetSessionId?: string;
  readonly targetMachineId?: string;
  readonly targetPoolIds?: readonly string[];
}

const queueRow = row<QueueRow>(queueKind, {
  organizationId: tenant,
  queuedAtMs: number,
  runId: maybe(text),
  waitingSessionId: maybe(text),
  chainId: maybe(text),
  workflowId: maybe(text),
  poolIds: maybe(texts),
  earlierRunIds: maybe(texts),
  hasSecret: maybe(kept(() => z.literal(true))),
  executor: maybe(oneOf(["service"])),
  triedMachineId: maybe(text),
  isPriority: maybe(kept(() => z.literal(true))),
  targetSessionId: maybe(text),
  targetMachineId: maybe(text),
  targetPoolIds: maybe(texts),
});

export const { attributes: queueAttributes } = queueRow;

export function queueItem({ organizationId, target, isPriority, queuedAtMs, waiting }: QueueEntry): Item {
  const place = { organizationId, queuedAtMs, ...(isPriority && { isPriority }), ...targetFields(target) };
  if (waiting.kind === "session") {
    return { ...queueRow.write({ ...place, waitingSessionId: waiting.sessionId }), write_id: randomUUID() };
  }
  const { chainId, ...run } = waiting;
  return queueRow.write({ ...place, ...run, ...(chainId !== null && { chainId }) });
}

export function parseQueueEntry(item: Item): QueueEntry {
  const { organizationId, queuedAtMs, isPriority = false, ...parsed } = queueRow.parse(item);
  const { runId, waitingSessionId, ...row } = parsed;
  const entry = { organizationId, queuedAtMs, isPriority, target: targetOf(row) };
  if (runId !== undefined) {
    const { chainId = null, workflowId = "", poolIds = [], earlierRunIds = [], hasSecret, executor } = row;
    const reads = { workflowId, poolIds, earlierRunIds, ...(hasSecret && { hasSecret }) };
    const { triedMachineId } = row;
    const limits = { ...(executor && { executor }), ...(triedMachineId !== undefined && { triedMachineId }) };
    return { ...entry, waiting: { kind: "run", runId, chainId, ...reads, ...limits } };
  }
  if (waitingSessionId === undefined) throw new Error("a queue row names neither a run nor a session");
  return { ...entry, waiting: { kind: "session", sessionId: waitingSessionId } };
}

export function entryKey(entry: QueueEntry) {
  return queueKey(entry, idOf(entry));
}

/** A session's row gets a new `write_id`, so that a reader that found the queue empty before does not remove it. */
export function enqueueWrite(entry: QueueEntry): Write {
  return put({ ...entryKey(entry), ...queueItem(entry) });
}

export function dequeueWrite(entry: QueueEntry): Write {
  return remove(entryKey(entry));
}

interface PoolSetRow {
  readonly organizationId: OrganizationId;
  readonly poolIds: readonly string[];
  readonly writeId: string;
}

const poolSetRow = row<PoolSetRow>("pool_set", { organizationId: tenant, poolIds: texts, writeId: text });

export const parsePoolSet = poolSetRow.pick("poolIds", "writeId").parse;

/** The new `write_id` keeps a reader that found the queue empty before from removing the row. */
export function registerPoolSetWrite(
  organizationId: OrganizationId,
  ids: readonly string[],
  writeId: string,
): Write {
  const poolIds = [...new Set(ids)].sort();
  const set = poolSetRow.write({ organizationId, poolIds, writeId });
  return update(poolSetKey(organizationId, ids), { set });
}

const idleRow = row<IdleMachine>("idle", { organizationId: tenant, machineId: text, poolIds: texts });

export const parseIdle = idleRow.parse;

export function idleItems(idle: IdleMachine): readonly (Item & Key)[] {
  return idleKeys({ ...idle, id: idle.machineId }).map((key) => ({ ...key, ...idleRow.write(idle) }));
}

export function idleKeys({
  organizationId,
  id,
  poolIds,
}: Pick<Machine, "organizationId" | "id" | "poolIds">): readonly Key[] {
  return [undefined, ...poolIds].map((poolId) => idleKey(organizationId, poolId, id));
}

export function isFreeAsRead({ poolIds, reservedSessionId }: FreeMachine): Condition {
  return allOf(isMachineFree(reservedSessionId), hasValue("pool_ids", poolIds));
}

export function isNotIdle(
  pools: { readonly poolIds: readonly string[] } | { readonly poolId: string },
): Condition {
  const isThere =
    "poolId" in pools
      ? { expression: "contains(pool_ids, :pool)", values: { pool: pools.poolId } }
      : hasValue("pool_ids", pools.poolIds);
  const { expression, values = {} } = allOf(isMachineFree(null), isThere);
  return { expression: `NOT (${expression})`, values };
}

function isMachineFree(reservedSessionId: string | null): Condition {
  const isUp = {
    expression: [
      isLiving,
      "attribute_exists(connection_id)",
      "out_of_service = :no",
      "is_available = :yes",
      "attribute_not_exists(current_run_id)",
      "attribute_not_exists(clearing_since)",
      "attribute_not_exists(held)",
    ].join(" AND "),
    values: { no: false, yes: true },
  };
  return allOf(isUp, hasValue("reserved_session_id", reservedSessionId));
}

type FreeMachine = Pick<Machine, "poolIds" | "reservedSessionId">;

function targetFields(target: Target): Partial<QueueRow> {
  switch (target.kind) {
    case "session":
      return { targetSessionId: target.sessionId };
    case "machine":
      return { targetMachineId: target.machineId };
    case "pools":
      return { targetPoolIds: target.poolIds };
    case "any":
      return {};
  }
}

function targetOf({ targetSessionId, targetMachineId, targetPoolIds }: Partial<QueueRow>): Target {
  if (targetSessionId !== undefined) return { kind: "session", sessionId: targetSessionId };
  if (targetMachineId !== undefined) return { kind: "machine", machineId: targetMachineId };
  if (targetPoolIds !== undefined) return { kind: "pools", poolIds: targetPoolIds };
  return { kind: "any" };
}
