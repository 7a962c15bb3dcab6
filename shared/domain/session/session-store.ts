import type { OrganizationId } from "../organization-id.ts";
import type { Session } from "./session.ts";

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
