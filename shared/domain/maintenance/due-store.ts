import type { OrganizationId } from "../access/organization-id.ts";
import type { DeletableKind } from "./deletions.ts";

export interface DueDeletion {
  readonly organizationId: OrganizationId;
  readonly id: string;
}

/** Deletions that have been marked and not finished, of all organizations. */
export interface DueStore {
  /** Those of a kind that were marked at that moment or before, the longest ago first. */
  listDeleted(kind: DeletableKind, untilMs: number, limit: number): Promise<readonly DueDeletion[]>;
}
