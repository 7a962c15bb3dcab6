import type { Session } from "../../domain/run/run.ts";
import type { Change, Condition } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import type { Item, Key } from "../table/item.ts";
import { dueRow, dueSortKey, sessionKey } from "../table/keys.ts";
import { oneOf, orNull, row, tenant, text, texts } from "../table/row.ts";

const sessionRow = row<Session>("session", {
  id: text,
  organizationId: tenant,
  status: oneOf(["pending", "active", "ended"]),
  machineId: orNull(text),
  poolIds: texts,
  createdAt: text,
  usedAt: text,
});

export const parseSession = sessionRow.parse;

/** How long an ended session can be told from one that never existed. */
const endedSessionSeconds = 30 * 24 * 3_600;

/** An open session is due by its last use. */
export function sessionItem(session: Session): Item & Key {
  return {
    ...sessionKey(session.organizationId, session.id),
    ...sessionRow.write(session),
    ...dueRow("OPEN#SESSION", session.id, session.usedAt),
  };
}

export const isOpenSession: Condition = {
  expression: "attribute_exists(pk) AND status <> :ended",
  values: { ended: "ended" },
};

/** It has no machine yet. */
export const isPending: Condition = { expression: "status = :pending", values: { pending: "pending" } };

/** The session takes no more runs; TTL removes it later. */
export function endedChange(endedAt: string): Change {
  const ttl = Math.ceil(Date.parse(endedAt) / 1_000) + endedSessionSeconds;
  return { set: { ...sessionRow.set({ status: "ended" }), ttl }, remove: attributesOf("due") };
}

/** Marks an open session as used. */
export function usedChange(sessionId: string, usedAt: string): Change {
  return { set: usedAttributes(sessionId, { usedAt }) };
}

export function activeChange(sessionId: string, machineId: string, usedAt: string): Change {
  return { set: usedAttributes(sessionId, { status: "active", machineId, usedAt }) };
}

function usedAttributes(sessionId: string, change: Partial<Session> & Pick<Session, "usedAt">): Item {
  return { ...sessionRow.set(change), due_sk: dueSortKey(Date.parse(change.usedAt), sessionId) };
}
