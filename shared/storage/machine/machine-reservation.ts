import { isoTimestamp } from "../../domain/clock.ts";
import type { Edit } from "../../domain/entity/edition.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { Reservation } from "../../domain/machine/machine-store.ts";
import { entryOfSession } from "../../domain/matching/queue-places.ts";
import type { Session } from "../../domain/session/session.ts";
import { hasEdition } from "../entity/edition-writes.ts";
import { dequeueWrite } from "../queue/queue-rows.ts";
import { activeChange, endedChange, isPendingAsSeen, sessionItem } from "../session/session-item.ts";
import { allOf, type Condition, hasValue, isNew, isThere, living, put, update } from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import { machineKey, sessionKey } from "../table/keys.ts";
import type { Parts } from "../table/transaction.ts";

export function reservationParts(
  { session, isNew: isNewSession }: Reservation,
  machineId: string,
  nowMs: number,
): Parts<"session" | "place"> {
  if (isNewSession) return { session: put(sessionItem(session), isNew) };
  const key = sessionKey(session.organizationId, session.id);
  const change = activeChange(session.id, machineId, isoTimestamp(nowMs));
  return {
    session: update(key, change, isAsSeen(session)),
    place: session.status === "pending" ? dequeueWrite(entryOfSession(session)) : undefined,
  };
}

export type ClearingPart = "machine" | "session";

/** Run and reservation must be as read, because they decide what is cancelled. A ping may change the revision. */
export function clearingParts(
  machine: Machine,
  since: string,
  { hasSession, edit }: { readonly hasSession: boolean; readonly edit: Edit },
): Parts<ClearingPart> {
  const { id, organizationId, currentRunId, reservedSessionId } = machine;
  const set = { clearing_since: since, ...dueRow("CLEARING#MACHINE", id, since) };
  const isSame = allOf(
    living,
    hasValue("current_run_id", currentRunId),
    hasValue("reserved_session_id", reservedSessionId),
    hasEdition(edit),
  );
  return {
    machine: update(machineKey(organizationId, id), { set, add: { revision: 1 } }, isSame),
    session:
      reservedSessionId === null || !hasSession
        ? undefined
        : update(sessionKey(organizationId, reservedSessionId), endedChange(since), isThere),
  };
}

function isAsSeen(session: Session): Condition {
  const { status, machineId } = session;
  const isSame = status === "pending" ? isPendingAsSeen(session) : hasValue("status", status);
  return allOf(isSame, hasValue("machine_id", machineId));
}
