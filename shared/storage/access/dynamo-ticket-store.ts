import { randomUUID } from "node:crypto";
import type { IssueOutcome, Ticket, TicketStore } from "../../domain/tunnel/ticket-store.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { ticketKey } from "../table/keys.ts";
import { flag, number, orNull, row, tenant, text } from "../table/row.ts";

/** A used ticket is kept much longer than its desktop token is valid. */
const keptSeconds = 3_600;

const ticketRow = row<Ticket & { readonly isUsed: boolean }>("ticket", {
  tokenId: text,
  nonce: text,
  organizationId: tenant,
  keyId: text,
  machineId: orNull(text),
  remotePeerId: text,
  expiresAtMs: number,
  isUsed: flag,
});

export class DynamoTicketStore extends DynamoStore<StoreDeps> implements TicketStore {
  /** The failed write returns the existing ticket, which saves a read. */
  async issue(ticket: Ticket): Promise<IssueOutcome> {
    const item = {
      ...ticketKey(ticket.tokenId),
      ...ticketRow.write({ ...ticket, isUsed: false }),
      ttl: Math.ceil(ticket.expiresAtMs / 1_000) + keptSeconds,
    };
    const outcome = await this.table.put(item, {
      expression: "attribute_not_exists(pk) OR (is_used = :no AND expires_at_ms <= :now)",
      values: { no: false, now: this.deps.clock.now() },
    });
    if (outcome.kind === "written") return { kind: "issued", ticket };
    if (!outcome.item) throw new Error("a ticket was in the way and is not there");
    const { isUsed, ...existing } = ticketRow.parse(outcome.item);
    return isUsed ? { kind: "used" } : { kind: "issued", ticket: existing };
  }

  async find(tokenId: string, nonce: string): Promise<Ticket | undefined> {
    const item = await this.table.get(ticketKey(tokenId));
    if (!item) return undefined;
    const { isUsed, ...ticket } = ticketRow.parse(item);
    const isAlive = !isUsed && ticket.nonce === nonce && ticket.expiresAtMs > this.deps.clock.now();
    return isAlive ? ticket : undefined;
  }

  async redeem(tokenId: string, nonce: string): Promise<Ticket | undefined> {
    const redemption = randomUUID();
    const outcome = await this.table.update(
      ticketKey(tokenId),
      { set: { is_used: true, redemption } },
      {
        expression: "nonce = :nonce AND is_used = :no AND expires_at_ms > :now",
        values: { nonce, no: false, now: this.deps.clock.now() },
      },
    );
    // A write repeated after a lost response meets its own redemption.
    const isOurs = outcome.kind === "updated" || outcome.item?.redemption === redemption;
    if (!isOurs || !outcome.item) return undefined;
    const { isUsed: _, ...ticket } = ticketRow.parse(outcome.item);
    return ticket;
  }
}
