import type { OrganizationId } from "../organization-id.ts";
import type { Session } from "./session.ts";

/** Sessions begin with a run (`RunStore.create`) or with a reservation (`MachineStore.update`). */
export interface SessionStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /**
   * Ends it, unless it has ended: one write. It can still be found for 30 days.
   *
   * @param usedAt end it only if it was not used since.
   * @returns the session afterwards; undefined when there is none.
   */
  end(
    organizationId: OrganizationId,
    sessionId: string,
    endedAt: string,
    usedAt?: string,
  ): Promise<Session | undefined>;
  /** Open sessions of all organizations, longest unused first: for the sweeper. */
  listOpenDue(limit: number): Promise<readonly Session[]>;
  /** Removes the session's place in a queue, if present. One write. */
  removePlace(session: Session): Promise<void>;
}
