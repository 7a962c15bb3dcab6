/** One part of a driver's answer, as stored under its caller's mailbox. */
export interface MailboxPart {
  readonly mailbox: string;
  readonly websocketId: string;
  readonly requestId: string;
  readonly part: number;
  readonly parts: number;
  readonly status: number;
  /** Part 0 only; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The body was put into the bucket instead. */
  readonly uploaded: boolean;
}

/** Answers on their way from the function that hears the driver to the one that waits. They expire within minutes. */
export interface MailboxStore {
  /** One write. A part sent again is stored again, the same. */
  put(part: MailboxPart): Promise<void>;
  /**
   * What has come to the mailbox past that cursor (an opaque sort key; absent: all of it), strongly consistent.
   *
   * Parts can land below a cursor, since they arrive in any order: a caller moves its cursor only past requests
   * that are complete.
   */
  poll(mailbox: string, after?: string): Promise<readonly (MailboxPart & { readonly cursor: string })[]>;
}
