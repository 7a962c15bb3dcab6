import type { Session } from "../../domain/session/session.ts";
import { sessionStatuses } from "../../vocabulary/runs.ts";
import { allOf, type Change, type Condition, hasValue } from "../table/expression.ts";
import { attributesOf, dueRow, dueSortKey } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { sessionKey } from "../table/keys.ts";
import { flag, oneOf, orElse, orNull, row, tenant, text, texts } from "../table/row.ts";

const sessionRow = row<Session>("session", {
  id: text,
  organizationId: tenant,
  status: oneOf(sessionStatuses),
  machineId: orNull(text),
  poolIds: texts,
  isPriority: orElse(flag, false),
  createdAt: text,
  usedAt: text,
});

export const parseSession = sessionRow.parse;

/** Until this time an ended session differs from one that never existed. */
const endedSessionSeconds = 30 * 24 * 3_600;

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

export const isPending: Condition = hasValue("status", "pending");

/** The session's place is the one that was read. */
export function isPendingAsSeen({ isPriority }: Pick<Session, "isPriority">): Condition {
  return allOf(isPending, hasValue("is_priority", isPriority || null));
}

export function endedChange(endedAt: string): Change {
  const ttl = Math.ceil(Date.parse(endedAt) / 1_000) + endedSessionSeconds;
  return { set: { ...sessionRow.set({ status: "ended" }), ttl }, remove: attributesOf("due") };
}

/** A session with a priority run stays one. */
export function usedChange(sessionId: string, usedAt: string, isPriority = false): Change {
  return { set: usedAttributes(sessionId, { usedAt, ...(isPriority && { isPriority }) }) };
}

export function activeChange(sessionId: string, machineId: string, usedAt: string): Change {
  return { set: usedAttributes(sessionId, { status: "active", machineId, usedAt }) };
}

function usedAttributes(sessionId: string, change: Partial<Session> & Pick<Session, "usedAt">): Item {
  return { ...sessionRow.set(change), due_sk: dueSortKey(Date.parse(change.usedAt), sessionId) };
}
