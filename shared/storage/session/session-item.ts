import * as z from "zod";
import type { Session } from "../../domain/run/run.ts";
import type { Change, Condition } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { duePartition, dueSortKey, sessionKey } from "../table/keys.ts";

const SessionItem = z.object({
  kind: z.literal("session"),
  id: z.string(),
  organization_id: z.string(),
  status: z.enum(["pending", "active", "ended"]),
  machine_id: z.string().optional(),
  pool_ids: z.array(z.string()),
  created_at: z.string(),
  used_at: z.string(),
});

/** How long an ended session can be told from one that never was. */
const endedSessionSeconds = 30 * 24 * 3_600;

export function parseSession(item: Item): Session {
  const row = SessionItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    machineId: row.machine_id ?? null,
    poolIds: row.pool_ids,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}

/** A session that has not ended is due from when it was last used. */
export function sessionItem(session: Session): Item & Key {
  return {
    ...sessionKey(session.organizationId, session.id),
    kind: "session",
    id: session.id,
    organization_id: session.organizationId,
    status: session.status,
    machine_id: session.machineId ?? undefined,
    pool_ids: session.poolIds,
    created_at: session.createdAt,
    ...usedAttributes(session.id, session.usedAt),
    due_pk: duePartition("OPEN#SESSION", session.id),
  };
}

export const isOpenSession: Condition = {
  expression: "attribute_exists(pk) AND status <> :ended",
  values: { ended: "ended" },
};

/** The session takes no more runs; TTL removes it once nobody asks any more. */
export function endedChange(endedAt: string): Change {
  return {
    set: { status: "ended", ttl: Math.ceil(Date.parse(endedAt) / 1_000) + endedSessionSeconds },
    remove: ["due_pk", "due_sk"],
  };
}

/** The session is in use: only for one that is open. */
export function usedChange(sessionId: string, usedAt: string): Change {
  return { set: usedAttributes(sessionId, usedAt) };
}

/** The session has its machine. */
export function activeChange(sessionId: string, machineId: string, usedAt: string): Change {
  return { set: { status: "active", machine_id: machineId, ...usedAttributes(sessionId, usedAt) } };
}

function usedAttributes(sessionId: string, usedAt: string) {
  return { used_at: usedAt, due_sk: dueSortKey(Date.parse(usedAt), sessionId) };
}
