import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../domain/clock.ts";
import type { IssueOutcome, Ticket, TicketStore } from "../../domain/tunnel/ticket-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { ticketKey } from "../table/keys.ts";

/** A used ticket is remembered for as long as its desktop token could be shown again, and much longer. */
const keptSeconds = 3_600;

const TicketItem = z.object({
  kind: z.literal("ticket"),
  token_id: z.string(),
  nonce: z.string(),
  organization_id: z.string(),
  key_id: z.string(),
  machine_id: z.string().optional(),
  remote_peer_id: z.string(),
  expires_at_ms: z.number(),
  is_used: z.boolean(),
});

export class DynamoTicketStore implements TicketStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor(table: DynamoTable, clock: Pick<Clock, "now">) {
    this.#table = table;
    this.#clock = clock;
  }

  /** The write itself brings back the ticket in the way: no read is needed. */
  async issue(ticket: Ticket): Promise<IssueOutcome> {
    const item = {
      ...ticketKey(ticket.tokenId),
      kind: "ticket",
      token_id: ticket.tokenId,
      nonce: ticket.nonce,
      organization_id: ticket.organizationId,
      key_id: ticket.keyId,
      machine_id: ticket.machineId ?? undefined,
      remote_peer_id: ticket.remotePeerId,
      expires_at_ms: ticket.expiresAtMs,
      is_used: false,
      ttl: Math.ceil(ticket.expiresAtMs / 1_000) + keptSeconds,
    };
    const outcome = await this.#table.put(item, {
      expression: "attribute_not_exists(pk) OR (is_used = :no AND expires_at_ms <= :now)",
      values: { no: false, now: this.#clock.now() },
    });
    if (outcome.kind === "written") return { kind: "issued", ticket };
    if (!outcome.item) throw new Error("a ticket was in the way and is not there");
    const { ticket: existing, isUsed } = parseTicket(outcome.item);
    return isUsed ? { kind: "used" } : { kind: "issued", ticket: existing };
  }

  async redeem(tokenId: string, nonce: string): Promise<Ticket | undefined> {
    const redemption = randomUUID();
    const outcome = await this.#table.update(
      ticketKey(tokenId),
      { set: { is_used: true, redemption } },
      {
        expression: "nonce = :nonce AND is_used = :no AND expires_at_ms > :now",
        values: { nonce, no: false, now: this.#clock.now() },
      },
    );
    // An answer was lost and the write sent again: what used the ticket up is itself.
    const isOurs = outcome.kind === "updated" || outcome.item?.redemption === redemption;
    return isOurs && outcome.item ? parseTicket(outcome.item).ticket : undefined;
  }
}

function parseTicket(item: Item): { readonly ticket: Ticket; readonly isUsed: boolean } {
  const row = TicketItem.parse(item);
  const ticket = {
    tokenId: row.token_id,
    nonce: row.nonce,
    organizationId: row.organization_id,
    keyId: row.key_id,
    machineId: row.machine_id ?? null,
    remotePeerId: row.remote_peer_id,
    expiresAtMs: row.expires_at_ms,
  };
  return { ticket, isUsed: row.is_used };
}
