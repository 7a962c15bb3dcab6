import type { SessionStatus } from "../../vocabulary/runs.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Reserves a machine for runs that execute one after another. */
export interface Session {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly status: SessionStatus;
  /** The machine that it requires or has; null until one is reserved. */
  readonly machineId: string | null;
  /** While pending: the pools that its machine must be in, all of them. */
  readonly poolIds: readonly string[];
  /** While pending: a priority run has joined it. */
  readonly isPriority: boolean;
  /** It also waits for a machine since then. */
  readonly createdAt: string;
  /** A run of it was last queued, started or ended then; an idle session ends. */
  readonly usedAt: string;
}

/** Sessions begin with a run (`RunStore.create`) or with a reservation (`MachineStore.update`). */
export interface SessionStore {
  find(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /** Ends it, unless it has ended or was used since `usedAt`; undefined when there is none. */
  end(
    organizationId: OrganizationId,
    sessionId: string,
    endedAt: string,
    usedAt?: string,
  ): Promise<Session | undefined>;
  /** Longest unused first, of all organizations. */
  listOpenDue(limit: number): Promise<readonly Session[]>;
  removePlace(session: Session): Promise<void>;
}
