import type { Clock } from "../../../shared/domain/clock.ts";
import type { IssueOutcome, Ticket, TicketStore } from "../../../shared/domain/tunnel/ticket-store.ts";

export class InMemoryTicketStore implements TicketStore {
  readonly #clock: Pick<Clock, "now">;
  readonly #rows = new Map<string, { readonly ticket: Ticket; readonly isUsed: boolean }>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async issue(ticket: Ticket): Promise<IssueOutcome> {
    const row = this.#rows.get(ticket.tokenId);
    if (row?.isUsed) return { kind: "used" };
    if (row && row.ticket.expiresAtMs > this.#clock.now()) return { kind: "issued", ticket: row.ticket };
    this.#rows.set(ticket.tokenId, { ticket: structuredClone(ticket), isUsed: false });
    return { kind: "issued", ticket };
  }

  async redeem(tokenId: string, nonce: string): Promise<Ticket | undefined> {
    const row = this.#rows.get(tokenId);
    if (!row || row.isUsed || row.ticket.nonce !== nonce) return undefined;
    if (row.ticket.expiresAtMs <= this.#clock.now()) return undefined;
    this.#rows.set(tokenId, { ...row, isUsed: true });
    return row.ticket;
  }
}
