import type { SessionStatus } from "../../vocabulary/runs.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Reserves a machine for runs that execute one after another. */
export interface Session {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly status: SessionStatus;
  /** The machine that the session requires or has; null until one is reserved. */
  readonly machineId: string | null;
  /** A pending session's machine must be in all of these pools. */
  readonly poolIds: readonly string[];
  /** True if a priority run has joined the pending session. */
  readonly isPriority: boolean;
  /** The session has also waited for a machine since then. */
  readonly createdAt: string;
  /** The time at which a run of the session was last queued, started or ended; an idle session ends. */
  readonly usedAt: string;
}

/** Sessions begin with a run (`RunStore.create`) or with a reservation (`MachineStore.update`). */
export interface SessionStore {
  find(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /** Ends the session, unless it has ended or was used since `usedAt`. Returns undefined when there is none. */
  end(
    organizationId: OrganizationId,
    sessionId: string,
    endedAt: string,
    usedAt?: string,
  ): Promise<Session | undefined>;
  /** Lists open sessions of all organizations, longest unused first. */
  listOpenDue(limit: number): Promise<readonly Session[]>;
  removePlace(session: Session): Promise<void>;
}
