import { randomUUID } from "node:crypto";
import type { LiveTicket, LiveTicketStore } from "../../domain/live/live-ticket.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew } from "../table/expression.ts";
import { liveTicketKey } from "../table/keys.ts";
import { number, orNull, row, tenant, text } from "../table/row.ts";

const keptSeconds = 3_600;

const liveTicketRow = row<LiveTicket>("live_ticket", {
  digest: text,
  organizationId: tenant,
  principal: text,
  keyId: orNull(text),
  sessionEndsAtMs: orNull(number),
  expiresAtMs: number,
});

export class DynamoLiveTicketStore extends DynamoStore<StoreDeps> implements LiveTicketStore {
  async issue(ticket: LiveTicket): Promise<void> {
    const ttl = Math.ceil(ticket.expiresAtMs / 1_000) + keptSeconds;
    const item = { ...liveTicketKey(ticket.digest), ...liveTicketRow.write(ticket), ttl };
    // A digest that is there already is this ticket's, written before a lost response.
    await this.table.put(item, isNew);
  }

  async redeem(digest: string): Promise<LiveTicket | undefined> {
    const redemption = randomUUID();
    const outcome = await this.table.update(
      liveTicketKey(digest),
      { set: { redemption } },
      {
        expression: "attribute_not_exists(redemption) AND expires_at_ms > :now",
        values: { now: this.deps.clock.now() },
      },
    );
    // A write repeated after a lost response meets its own redemption.
    const isOurs = outcome.kind === "updated" || outcome.item?.redemption === redemption;
    return isOurs && outcome.item ? liveTicketRow.parse(outcome.item) : undefined;
  }
}
