import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { IdleMachine, QueueEntry } from "../../domain/matching/queue-entry.ts";
import type { Target } from "../../domain/matching/target.ts";
import type { Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { idleKey, poolSetKey, queueKey } from "../table/keys.ts";

/** What the stream's filters tell a queue row by. */
export const queueKind = "queue";

const QueueItem = z.object({
  kind: z.literal(queueKind),
  organization_id: z.string(),
  queued_at_ms: z.number(),
  /** One of the two. */
  run_id: z.string().optional(),
  waiting_session_id: z.string().optional(),
  chain_id: z.string().optional(),
  workflow_id: z.string().optional(),
  pool_ids: z.array(z.string()).optional(),
  earlier_run_ids: z.array(z.string()).optional(),
  has_secret: z.literal(true).optional(),
  /** The target; none of them: any machine. */
  target_session_id: z.string().optional(),
  target_machine_id: z.string().optional(),
  target_pool_ids: z.array(z.string()).optional(),
});

export function queueItem(entry: QueueEntry): Item {
  const { organizationId, target, queuedAtMs, waiting } = entry;
  return {
    kind: queueKind,
    organization_id: organizationId,
    queued_at_ms: queuedAtMs,
    ...(waiting.kind === "run"
      ? {
          run_id: waiting.runId,
          chain_id: waiting.chainId ?? undefined,
          workflow_id: waiting.workflowId,
          pool_ids: waiting.poolIds,
          earlier_run_ids: waiting.earlierRunIds,
          has_secret: waiting.hasSecret,
        }
      : { waiting_session_id: waiting.sessionId, write_id: randomUUID() }),
    ...targetAttributes(target),
  };
}

export function parseQueueEntry(item: Item): QueueEntry {
  const row = QueueItem.parse(item);
  const { organization_id: organizationId, queued_at_ms: queuedAtMs } = row;
  const entry = { organizationId, queuedAtMs, target: parseTarget(row) };
  if (row.run_id !== undefined) {
    const waiting = {
      kind: "run",
      runId: row.run_id,
      chainId: row.chain_id ?? null,
      workflowId: row.workflow_id ?? "",
      poolIds: row.pool_ids ?? [],
      earlierRunIds: row.earlier_run_ids ?? [],
      ...(row.has_secret && { hasSecret: row.has_secret }),
    } as const;
    return { ...entry, waiting };
  }
  if (row.waiting_session_id === undefined) throw new Error("a queue row names neither a run nor a session");
  return { ...entry, waiting: { kind: "session", sessionId: row.waiting_session_id } };
}

export function entryKey({ organizationId, target, queuedAtMs, waiting }: QueueEntry) {
  const id = waiting.kind === "run" ? waiting.runId : waiting.sessionId;
  return queueKey(organizationId, target, queuedAtMs, id);
}

/**
 * Puts an entry in its queue. A run's row stays the same when it is put again; a session's `write_id` changes, so that
 * nobody removes it on the strength of a queue that was empty before.
 */
export function enqueueWrite(entry: QueueEntry): Write {
  return { kind: "put", item: { ...entryKey(entry), ...queueItem(entry) } };
}

export function dequeueWrite(entry: QueueEntry): Write {
  return { kind: "delete", key: entryKey(entry) };
}

/**
 * Makes a set of pools known to whoever serves a machine. `write_id` changes with each write, so that nobody removes a
 * row on the strength of a queue that was empty before.
 */
export function registerPoolSetWrite(
  organizationId: string,
  poolIds: readonly string[],
  writeId: string,
): Write {
  return {
    kind: "update",
    key: poolSetKey(organizationId, poolIds),
    change: {
      set: {
        kind: "pool_set",
        organization_id: organizationId,
        pool_ids: [...new Set(poolIds)].sort(),
        write_id: writeId,
      },
    },
  };
}

const PoolSetItem = z.object({ pool_ids: z.array(z.string()), write_id: z.string() });

export function parsePoolSet(item: Item): { readonly poolIds: readonly string[]; readonly writeId: string } {
  const { pool_ids: poolIds, write_id: writeId } = PoolSetItem.parse(item);
  return { poolIds, writeId };
}

const IdleItem = z.object({
  kind: z.literal("idle"),
  organization_id: z.string(),
  machine_id: z.string(),
  pool_ids: z.array(z.string()),
  machine_revision: z.number(),
});

export function idleItem(idle: IdleMachine) {
  return {
    ...idleKey(idle.organizationId, idle.machineId),
    kind: "idle",
    organization_id: idle.organizationId,
    machine_id: idle.machineId,
    pool_ids: idle.poolIds,
    machine_revision: idle.machineRevision,
  };
}

export function parseIdle(item: Item): IdleMachine {
  const row = IdleItem.parse(item);
  return {
    organizationId: row.organization_id,
    machineId: row.machine_id,
    poolIds: row.pool_ids,
    machineRevision: row.machine_revision,
  };
}

function targetAttributes(target: Target): Item {
  switch (target.kind) {
    case "session":
      return { target_session_id: target.sessionId };
    case "machine":
      return { target_machine_id: target.machineId };
    case "pools":
      return { target_pool_ids: target.poolIds };
    case "any":
      return {};
  }
}

function parseTarget(row: z.infer<typeof QueueItem>): Target {
  if (row.target_session_id !== undefined) return { kind: "session", sessionId: row.target_session_id };
  if (row.target_machine_id !== undefined) return { kind: "machine", machineId: row.target_machine_id };
  if (row.target_pool_ids !== undefined) return { kind: "pools", poolIds: row.target_pool_ids };
  return { kind: "any" };
}
