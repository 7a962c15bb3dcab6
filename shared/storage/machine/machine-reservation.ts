import { isoTimestamp } from "../../domain/clock.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { Reservation } from "../../domain/machine/machine-store.ts";
import { entryOfSession } from "../../domain/matching/queue-places.ts";
import type { Session } from "../../domain/session/session.ts";
import { dequeueWrite } from "../queue/queue-rows.ts";
import { activeChange, endedChange, isPendingAsSeen, sessionItem } from "../session/session-item.ts";
import { allOf, type Condition, isLiving, isNew, type Write } from "../table/expression.ts";
import { dueRow, machineKey, sessionKey } from "../table/keys.ts";

/** What a reservation changes in the session: it has the machine, and leaves its queue. */
export function reservationWrites(
  { session, isNew: isNewSession }: Reservation,
  machineId: string,
  nowMs: number,
): readonly Write[] {
  if (isNewSession) return [{ kind: "put", item: sessionItem(session), condition: isNew }];
  return [
    {
      kind: "update",
      key: sessionKey(session.organizationId, session.id),
      change: activeChange(session.id, machineId, isoTimestamp(nowMs)),
      condition: isAsSeen(session),
    },
    ...(session.status === "pending" ? [dequeueWrite(entryOfSession(session))] : []),
  ];
}

/**
 * The machine comes first and must have the run and the reservation that were read: what is cancelled follows from
 * them. Its revision is not checked, since a ping would change it.
 *
 * @param endsSession false when there is no such session.
 */
export function clearingWrites(machine: Machine, since: string, endsSession: boolean): readonly Write[] {
  const { id, organizationId, currentRunId, reservedSessionId } = machine;
  const write: Write = {
    kind: "update",
    key: machineKey(organizationId, id),
    change: {
      set: {
        clearing_since: since,
        ...dueRow("CLEARING#MACHINE", id, since),
      },
      add: { revision: 1 },
    },
    condition: {
      expression: [
        isLiving,
        currentRunId === null ? "attribute_not_exists(current_run_id)" : "current_run_id = :run",
        reservedSessionId === null
          ? "attribute_not_exists(reserved_session_id)"
          : "reserved_session_id = :session",
      ].join(" AND "),
      values: {
        ...(currentRunId === null ? {} : { run: currentRunId }),
        ...(reservedSessionId === null ? {} : { session: reservedSessionId }),
      },
    },
  };
  if (reservedSessionId === null || !endsSession) return [write];
  const key = sessionKey(organizationId, reservedSessionId);
  const condition = { expression: "attribute_exists(pk)" };
  return [write, { kind: "update", key, change: endedChange(since), condition }];
}

function isAsSeen(session: Session): Condition {
  const { status, machineId } = session;
  const isSame =
    status === "pending"
      ? isPendingAsSeen(session)
      : { expression: "status = :seen", values: { seen: status } };
  return allOf(
    isSame,
    machineId === null
      ? { expression: "attribute_not_exists(machine_id)" }
      : { expression: "machine_id = :machine", values: { machine: machineId } },
  );
}
