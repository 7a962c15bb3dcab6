import type { OrganizationId } from "../organization-id.ts";
import type { DeletableKind } from "./deletions.ts";

export interface DueDeletion {
  readonly organizationId: OrganizationId;
  readonly id: string;
}

export interface DueStore {
  /** Deletions of a kind marked at that time or earlier, oldest first. */
  listDeleted(kind: DeletableKind, untilMs: number, limit: number): Promise<readonly DueDeletion[]>;
}
