import type { OrganizationId } from "../organization-id.ts";
import type { Change } from "./change.ts";

export interface Pending {
  readonly changes: readonly Change[];
  /** The last hints were sent less than a second before this time. */
  readonly notBeforeMs: number;
}

/** The changes of which an organization's viewers are still to hear, and the one turn that sends hints of them. */
export interface HintStore {
  /**
   * Adds changes in one write; where too many wait, `all` stands for them.
   *
   * @returns whether a turn is under way, which will see them.
   */
  note(organizationId: OrganizationId, changes: readonly Change[]): Promise<boolean>;
  /** Undefined means that another turn is under way. */
  begin(organizationId: OrganizationId, turn: string): Promise<Pending | undefined>;
  /** Forgets what was sent, and returns what has come since. Undefined means that the turn was taken over. */
  goOn(
    organizationId: OrganizationId,
    turn: string,
    sent?: { readonly changes: readonly Change[]; readonly notBeforeMs: number },
  ): Promise<Pending | undefined>;
  /** False means that changes have come since, unless `isHandedOver`. */
  end(organizationId: OrganizationId, turn: string, isHandedOver?: boolean): Promise<boolean>;
}
