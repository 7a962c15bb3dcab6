import type { OrganizationId } from "../organization-id.ts";

export interface PlainContent {
  /** The names are in lower case. @default none, as in all parts but the first */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
}

export interface MailboxPart extends PlainContent {
  readonly organizationId: OrganizationId;
  readonly mailbox: string;
  readonly websocketId: string;
  readonly requestId: string;
  readonly part: number;
  readonly parts: number;
  readonly status: number;
  readonly uploaded: boolean;
}

/** Stores answers in transit from the function that receives them to the one that waits. They expire within minutes. */
export interface MailboxStore {
  /** Returns false when that part exists already, which stays as it is. */
  put(part: MailboxPart): Promise<boolean>;
  /**
   * Parts may arrive below a cursor, in any order: a caller moves its cursor only past requests that are complete.
   *
   * @throws {DomainError} `driver_connection_lost` while a part among them cannot be decrypted.
   */
  poll(mailbox: string, after?: string): Promise<readonly (MailboxPart & { readonly cursor: string })[]>;
}
