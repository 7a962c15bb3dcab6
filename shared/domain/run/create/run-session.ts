import { isoTimestamp } from "../../clock.ts";
import { DomainError } from "../../errors.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Session } from "../../session/session.ts";
import type { RunDeps } from "../run-deps.ts";
import type { RunStore } from "../run-store.ts";
import { sessionEnded } from "./creation-outcome.ts";

export interface SessionChoice {
  readonly sessionId?: string | undefined;
  readonly startSession?: boolean | undefined;
  readonly machineId?: string | undefined;
  readonly poolIds?: readonly string[] | undefined;
  readonly isPriority?: boolean | undefined;
}

export interface ChosenSession {
  readonly sessionId: string | null;
  readonly session: Session | undefined;
  readonly machineId: string | null;
}

/**
 * Reads an existing session once.
 * @throws {DomainError} `not_found`, `session_ended`, or `conflict` for a machine that is not the session's.
 */
export async function chooseSession(
  deps: Pick<RunDeps, "clock"> & { readonly runs: Pick<RunStore, "findSession"> },
  organizationId: OrganizationId,
  { sessionId, startSession, machineId, poolIds = [], isPriority = false }: SessionChoice,
  newId: string,
): Promise<ChosenSession> {
  if (sessionId !== undefined) {
    const session = await deps.runs.findSession(organizationId, sessionId);
    if (session === undefined) throw new DomainError("not_found", `there is no session ${sessionId}`);
    if (session.status === "ended") throw sessionEnded(sessionId);
    // A run executes on its session's machine, so that it cannot name another.
    if (machineId !== undefined && session.machineId !== machineId) {
      const has =
        session.machineId === null ? "waits for a machine that it does not name" : "has another machine";
      throw new DomainError("conflict", `the session ${has}; leave machine_id out`);
    }
    return { sessionId, session: undefined, machineId: session.machineId };
  }
  if (startSession !== true) return { sessionId: null, session: undefined, machineId: machineId ?? null };
  const now = isoTimestamp(deps.clock.now());
  const session: Session = {
    id: newId,
    organizationId,
    status: "pending",
    machineId: machineId ?? null,
    poolIds,
    isPriority,
    createdAt: now,
    usedAt: now,
  };
  return { sessionId: newId, session, machineId: session.machineId };
}
