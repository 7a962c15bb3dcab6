import { type Clock, isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Reservation, UpdateMachineOutcome } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import { sessionEnded } from "../run/create/creation-outcome.ts";
import type { Session, SessionStore } from "../session/session.ts";
import { overtaken, untilWritten } from "../until-written.ts";

export interface ReserveMachineDeps {
  readonly sessions: Pick<SessionStore, "find">;
  readonly clock: Clock;
}

/** Creates an unknown session. @throws {DomainError} `session_ended`, or `conflict` for another machine's session */
export async function withReservation(
  deps: ReserveMachineDeps,
  wish: { readonly organizationId: OrganizationId; readonly machineId: string; readonly sessionId: string },
  update: (reservation: Reservation) => Promise<UpdateMachineOutcome>,
): Promise<UpdateMachineOutcome> {
  return await untilWritten(deps, {
    what: "the machine",
    read: () => deps.sessions.find(wish.organizationId, wish.sessionId),
    decide: async (found) => {
      if (found?.status === "ended") throw sessionEnded(found.id);
      const isElsewhere =
        found !== undefined && found.machineId !== null && found.machineId !== wish.machineId;
      if (isElsewhere) throw sessionElsewhere(wish.sessionId);
      const outcome = await update({ session: found ?? newSession(deps, wish), isNew: found === undefined });
      if (outcome.kind === "session_elsewhere") throw sessionElsewhere(wish.sessionId);
      return outcome.kind === "session_changed" ? overtaken : outcome;
    },
  });
}

function newSession(
  { clock }: ReserveMachineDeps,
  wish: { readonly organizationId: OrganizationId; readonly machineId: string; readonly sessionId: string },
): Session {
  const now = isoTimestamp(clock.now());
  return {
    id: wish.sessionId,
    organizationId: wish.organizationId,
    status: "active",
    machineId: wish.machineId,
    poolIds: [],
    isPriority: false,
    createdAt: now,
    usedAt: now,
  };
}

function sessionElsewhere(sessionId: string): DomainError {
  return new DomainError("conflict", `the session ${sessionId} has, or waits for, another machine`, {
    details: { session_id: sessionId },
  });
}
