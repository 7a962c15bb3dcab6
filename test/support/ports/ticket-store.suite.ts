import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Ticket } from "../../../shared/domain/tunnel/ticket-store.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function ticketStoreSuite(create: CreateTableStores): void {
  describe("a ticket store", () => {
    const setUp = () => {
      const clock = new FakeClock();
      const ticket: Ticket = {
        tokenId: randomUUID(),
        nonce: randomUUID(),
        organizationId: organizationIdOf("org_1"),
        keyId: "key",
        machineId: null,
        remotePeerId: "peer",
        expiresAtMs: clock.now() + 60_000,
      };
      const next = () => ({ ...ticket, nonce: randomUUID(), expiresAtMs: clock.now() + 60_000 });
      return { clock, store: create({ clock }).tickets, ticket, next };
    };

    it("issues the ticket, and the same again while it is unused and alive", async () => {
      const { store, ticket, next, clock } = setUp();
      expect(await store.issue(ticket)).toEqual({ kind: "issued", ticket });
      clock.advance(59_999);
      expect(await store.issue(next())).toEqual({ kind: "issued", ticket });
    });

    it("issues a new one when the last expired unused", async () => {
      const { store, ticket, next, clock } = setUp();
      await store.issue(ticket);
      clock.advance(60_000);
      const second = next();
      expect(await store.issue(second)).toEqual({ kind: "issued", ticket: second });
      expect(await store.redeem(ticket.tokenId, ticket.nonce)).toBeUndefined();
      expect(await store.redeem(second.tokenId, second.nonce)).toEqual(second);
    });

    it("redeems a ticket exactly once, also when two come at once", async () => {
      const { store, ticket } = setUp();
      const bound = { ...ticket, machineId: randomUUID() };
      await store.issue(bound);
      const redeemed = await Promise.all([1, 2, 3].map(() => store.redeem(bound.tokenId, bound.nonce)));
      expect(redeemed.filter((one) => one !== undefined)).toEqual([bound]);
      expect(await store.redeem(bound.tokenId, bound.nonce)).toBeUndefined();
    });

    it("says used for good once it was redeemed, even after it would have expired", async () => {
      const { store, ticket, next, clock } = setUp();
      await store.issue(ticket);
      await store.redeem(ticket.tokenId, ticket.nonce);
      expect(await store.issue(next())).toEqual({ kind: "used" });
      clock.advance(61_000);
      expect(await store.issue(next())).toEqual({ kind: "used" });
    });

    it("finds a ticket while it is unused and alive, which leaves it so", async () => {
      const { store, ticket, clock } = setUp();
      await store.issue(ticket);
      expect(await store.find(ticket.tokenId, ticket.nonce)).toEqual(ticket);
      expect(await store.find(ticket.tokenId, "another")).toBeUndefined();
      expect(await store.find(randomUUID(), ticket.nonce)).toBeUndefined();
      clock.advance(60_000);
      expect(await store.find(ticket.tokenId, ticket.nonce)).toBeUndefined();
      clock.advance(-1);
      await store.redeem(ticket.tokenId, ticket.nonce);
      expect(await store.find(ticket.tokenId, ticket.nonce)).toBeUndefined();
    });

    it("redeems no expired, unknown or mismatched one", async () => {
      const { store, ticket, clock } = setUp();
      await store.issue(ticket);
      expect(await store.redeem(ticket.tokenId, "another")).toBeUndefined();
      expect(await store.redeem(randomUUID(), ticket.nonce)).toBeUndefined();
      clock.advance(60_000);
      expect(await store.redeem(ticket.tokenId, ticket.nonce)).toBeUndefined();
    });
  });
}
