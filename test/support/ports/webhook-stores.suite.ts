import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { endpointSlots, turnMs } from "../../../shared/domain/webhook/webhook-endpoint-store.ts";
import { webhookEndpointsMax } from "../../../shared/vocabulary/events.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aDelivery, aWebhookEndpoint } from "../builders/webhooks.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function webhookStoresSuite(create: CreateTableStores): void {
  async function setUp() {
    const clock = new FakeClock();
    const { webhookEndpoints, deliveries } = create({ clock });
    const at = () => new Date(clock.now()).toISOString();
    const endpoint = aWebhookEndpoint({ createdAt: at(), eventTypes: ["run.complete"] });
    expect(await webhookEndpoints.create(endpoint)).toEqual({ kind: "created" });
    const { organizationId, id } = endpoint;
    const find = async () => await webhookEndpoints.find(organizationId, id);
    return { clock, webhookEndpoints, deliveries, endpoint, organizationId, id, at, find };
  }

  describe("the store of webhook endpoints", () => {
    it("finds and lists what was made, newest first, to its own organization only", async () => {
      const { webhookEndpoints, endpoint, organizationId, id } = await setUp();
      const second = aWebhookEndpoint({ organizationId, description: "second" });
      await webhookEndpoints.create(second);
      expect(await webhookEndpoints.list(organizationId)).toEqual([second, endpoint]);
      const other = anOrganization();
      expect([await webhookEndpoints.find(other, id), await webhookEndpoints.list(other)]).toEqual([
        undefined,
        [],
      ]);
      expect(await webhookEndpoints.remove(other, id)).toEqual({ kind: "not_found" });
    });

    it("holds no more than the bound, of twelve at once, and again as many when one is removed", async () => {
      const { webhookEndpoints } = await setUp();
      const organizationId = anOrganization();
      const twelve = Array.from({ length: 12 }, () => aWebhookEndpoint({ organizationId }));
      const outcomes = await Promise.all(twelve.map((each) => webhookEndpoints.create(each)));
      expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(webhookEndpointsMax);
      const [one] = await webhookEndpoints.list(organizationId);
      const removing = anIdempotency(organizationId);
      const removed = await webhookEndpoints.remove(organizationId, one?.id ?? "", removing);
      expect(removed).toEqual({ kind: "removed", secretName: one?.secretName });
      expect(await webhookEndpoints.create(aWebhookEndpoint({ organizationId }))).toEqual({
        kind: "created",
      });
    });

    it("gives a secret another name only while it has the one that was read", async () => {
      const { webhookEndpoints, endpoint, organizationId, id, at } = await setUp();
      const rename = async (secretName: string) =>
        await webhookEndpoints.update(
          organizationId,
          id,
          { secretName, updatedAt: at() },
          {
            before: endpoint,
          },
        );
      expect((await rename("first")).kind).toBe("updated");
      expect((await rename("second")).kind).toBe("changed");
    });

    it("gives each slot once, of twelve at once, and again when it is given back or its lease ends", async () => {
      const { webhookEndpoints, organizationId, id, clock } = await setUp();
      const found = async () => {
        const with_ = await webhookEndpoints.findWithSlots(organizationId, id);
        if (with_ === undefined) throw new Error("it was made");
        return with_;
      };
      const at = await found();
      const taken = await Promise.all(Array.from({ length: 12 }, () => webhookEndpoints.takeSlot(at, v7())));
      const slots = taken.filter((slot) => slot !== undefined);
      expect(slots.map(({ number }) => number).sort()).toEqual(at.freeSlots);
      expect((await found()).freeSlots).toEqual([]);
      const [first] = slots;
      if (first === undefined) throw new Error("all were free");
      await webhookEndpoints.giveBackSlot({ ...first, deliveryId: v7() });
      expect((await found()).freeSlots).toEqual([]);
      await webhookEndpoints.giveBackSlot(first);
      expect((await found()).freeSlots).toEqual([first.number]);
      clock.advance(60_000);
      expect((await found()).freeSlots).toHaveLength(endpointSlots);
    });

    it("gives one turn a minute, and counts timeouts until one attempt does not", async () => {
      const { webhookEndpoints, endpoint, find, clock, at } = await setUp();
      const since = at();
      for (let count = 1; count <= 2; count += 1) {
        const noted = await webhookEndpoints.noteFailure(endpoint, { at: at(), isTimeout: true });
        expect(noted).toMatchObject({ timeouts: count, failingSince: since });
        clock.advance(1);
      }
      clock.advance(turnMs);
      const turns = await Promise.all([1, 2, 3].map(() => webhookEndpoints.takeTurn(endpoint)));
      expect(turns.filter(Boolean)).toHaveLength(1);
      await webhookEndpoints.noteFailure(endpoint, { at: at(), isTimeout: false });
      const failing = await find();
      expect(failing).toMatchObject({ timeouts: 0, failingSince: since, nextTryAtMs: null });
      if (failing) await webhookEndpoints.noteSuccess(failing);
      expect(await find()).toEqual(endpoint);
      const moved = { ...endpoint, url: "https://other.example.com/" };
      expect(await webhookEndpoints.noteFailure(moved, { at: at(), isTimeout: false })).toBeUndefined();
      await webhookEndpoints.switchOff(moved, "gone");
      expect(await find()).toEqual(endpoint);
    });
  });

  describe("the store of deliveries", () => {
    it("keeps the first of what is made twice, and notes nothing of a round that is over", async () => {
      const { deliveries, endpoint, organizationId, at } = await setUp();
      const delivery = aDelivery(endpoint, { createdAt: at() });
      const { id: deliveryId, eventId, createdAt, round } = delivery;
      const job = { organizationId, endpointId: endpoint.id, deliveryId, eventId, round };
      for (const body of ["first", "second"]) {
        await deliveries.putMessage({ organizationId, eventId, createdAt, body });
        await deliveries.create({
          ...delivery,
          eventType: body === "first" ? "run.complete" : "run.running",
        });
      }
      expect(await deliveries.load(job)).toEqual({ delivery, body: "first" });
      const begun = await deliveries.beginRound(organizationId, deliveryId);
      expect(begun).toMatchObject({ round: 2, status: "pending" });
      await deliveries.note(delivery, { status: "failed", nextAttemptAt: null });
      expect(await deliveries.find(organizationId, deliveryId)).toEqual(begun);
      expect(await deliveries.beginRound(anOrganization(), deliveryId)).toBeUndefined();
    });
  });
}
