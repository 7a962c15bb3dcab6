import type { OrganizationId } from "../organization-id.ts";

/** A driver's permission to connect once, made from one desktop token. */
export interface Ticket {
  /** The desktop token's id: a token has at most one valid ticket. */
  readonly tokenId: string;
  readonly nonce: string;
  readonly organizationId: OrganizationId;
  readonly keyId: string;
  readonly machineId: string | null;
  readonly remotePeerId: string;
  readonly expiresAtMs: number;
}

export type IssueOutcome =
  /** `ticket` is the given one, or the existing unused and unexpired one. */
  { readonly kind: "issued"; readonly ticket: Ticket } | { readonly kind: "used" };

export interface TicketStore {
  issue(ticket: Ticket): Promise<IssueOutcome>;
  /** Returns the ticket while it is unused and valid, without using it. */
  find(tokenId: string, nonce: string): Promise<Ticket | undefined>;
  /** Returns the ticket exactly once, and undefined when it is used, expired or unknown. */
  redeem(tokenId: string, nonce: string): Promise<Ticket | undefined>;
}
