import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { attemptMs, endpointSendsMax, placeMs } from "../../../shared/domain/webhook/delivery/sends.ts";
import { organizationSendsMax, webhookEndpointsMax } from "../../../shared/vocabulary/events.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aDelivery, aWebhookEndpoint } from "../builders/webhooks.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function webhookStoresSuite(create: CreateTableStores): void {
  async function setUp() {
    const clock = new FakeClock();
    const { webhookEndpoints, deliveries, sends } = create({ clock });
    const at = () => new Date(clock.now()).toISOString();
    const endpoint = aWebhookEndpoint({ createdAt: at(), eventTypes: ["run.complete"] });
    expect(await webhookEndpoints.create(endpoint)).toEqual({ kind: "created" });
    const { organizationId, id } = endpoint;
    const find = async () => await webhookEndpoints.find(organizationId, id);
    return { clock, webhookEndpoints, deliveries, sends, endpoint, organizationId, id, at, find };
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

    it("counts timeouts until one attempt does not", async () => {
      const { webhookEndpoints, endpoint, find, clock, at } = await setUp();
      const since = at();
      for (let count = 1; count <= 2; count += 1) {
        const noted = await webhookEndpoints.noteFailure(endpoint, { at: at(), isTimeout: true });
        expect(noted).toMatchObject({ timeouts: count, failingSince: since });
        clock.advance(1);
      }
      await webhookEndpoints.noteFailure(endpoint, { at: at(), isTimeout: false });
      const failing = await find();
      expect(failing).toMatchObject({ timeouts: 0, failingSince: since });
      if (failing) await webhookEndpoints.noteSuccess(failing);
      expect(await find()).toEqual(endpoint);
      const moved = { ...endpoint, url: "https://other.example.com/" };
      expect(await webhookEndpoints.noteFailure(moved, { at: at(), isTimeout: false })).toBeUndefined();
      await webhookEndpoints.switchOff(moved, "gone");
      expect(await find()).toEqual(endpoint);
    });
  });

  describe("the store of sends", () => {
    const send = (endpoint: { readonly organizationId: OrganizationId; readonly id: string }) => ({
      organizationId: endpoint.organizationId,
      endpointId: endpoint.id,
      id: `${v7()}-1-1`,
    });
    const kindsOf = (taken: readonly { readonly kind: string }[]) =>
      taken.filter(({ kind }) => kind === "taken").length;

    it("gives an endpoint five places, of twelve at once, and one again at each end or when leases end", async () => {
      const { sends, endpoint, organizationId, clock } = await setUp();
      const twelve = Array.from({ length: 12 }, () => send(endpoint));
      const taken = await Promise.all(twelve.map((each) => sends.take(each, "new")));
      expect(kindsOf(taken)).toBe(endpointSendsMax);
      const first = twelve[taken.findIndex(({ kind }) => kind === "taken")] ?? send(endpoint);
      expect((await sends.take(first, "new")).kind).toBe("taken");
      expect((await sends.load(first)).leaseUntilMs).toBe(clock.now() + placeMs);
      for (let times = 0; times < 2; times += 1) {
        expect((await sends.end(first)).count).toBe(endpointSendsMax - 1);
      }
      const next = send(endpoint);
      expect((await sends.take(next, "new")).sends.count).toBe(endpointSendsMax);
      clock.advance(placeMs - 1);
      await sends.take(next, "new");
      clock.advance(2);
      const anew = await sends.take(send(endpoint), "new");
      expect([anew.kind, anew.sends.count]).toEqual(["taken", 2]);
      expect((await sends.load({ ...next, organizationId: anOrganization() })).endpoint).toBeUndefined();
      expect((await sends.load(next)).endpoint).toEqual(endpoint);
      expect(organizationId).toBe(endpoint.organizationId);
    });

    it("gives an organization twenty places, of its endpoints and tests together, and another its own", async () => {
      const { sends, organizationId } = await setUp();
      const endpoints = Array.from({ length: 10 }, () => aWebhookEndpoint({ organizationId }));
      const fifty = endpoints.flatMap((each) => Array.from({ length: 5 }, () => send(each)));
      const taken = await Promise.all(fifty.map((each) => sends.take(each, "new")));
      expect(kindsOf(taken)).toBe(organizationSendsMax);
      const [one] = endpoints;
      if (one === undefined) throw new Error("there are ten");
      expect((await sends.take(send(one), "test")).kind).toBe("full");
      const other = { ...one, organizationId: anOrganization() };
      expect((await sends.take(send(other), "new")).sends.count).toBe(1);
      await sends.end(fifty[taken.findIndex(({ kind }) => kind === "taken")] ?? send(one));
      expect((await sends.take(send(one), "test")).kind).toBe("taken");
    });

    it("gives a send that has waited to one of several, and to another when that one's lease has ended", async () => {
      const { sends, endpoint, clock } = await setUp();
      const waiting = send(endpoint);
      const kinds = async () => {
        const taken = await Promise.all([1, 2, 3].map(() => sends.take(waiting, "waited")));
        return taken.map(({ kind }) => kind).sort();
      };
      expect(await kinds()).toEqual(["held", "held", "taken"]);
      expect((await sends.take(waiting, "late")).kind).toBe("taken");
      clock.advance(placeMs + 1);
      expect(await kinds()).toEqual(["held", "held", "taken"]);
    });

    it("gives a paused endpoint one place at a time, after its pause, until the pause is ended", async () => {
      const { sends, endpoint, clock } = await setUp();
      const pausedUntilMs = clock.now() + 10;
      const paused = await sends.end(send(endpoint), pausedUntilMs);
      expect(paused.endpoints).toEqual([{ id: endpoint.id, count: 0, isWaitedFor: false, pausedUntilMs }]);
      expect((await sends.take(send(endpoint), "waited")).kind).toBe("full");
      clock.advance(10);
      const [one, two] = [send(endpoint), send(endpoint)];
      expect((await sends.take(one, "waited")).kind).toBe("taken");
      expect((await sends.take(two, "waited")).kind).toBe("full");
      await sends.end(one, null);
      for (const each of [one, two]) expect((await sends.take(each, "waited")).kind).toBe("taken");
    });

    it("keeps what waits, the oldest first, before what is new, and lists its organization until none waits", async () => {
      const { sends, endpoint, organizationId, clock, at } = await setUp();
      const [older, newer] = [v7({ msecs: 1 }), v7({ msecs: 2 })].map((id) =>
        firstAttempt(aDelivery(endpoint, { id, createdAt: at() })),
      );
      if (older === undefined || newer === undefined) throw new Error("there are two");
      await sends.wait(newer);
      const one = await sends.wait(older);
      const again = await sends.wait(older);
      expect(await sends.firstWaiting(organizationId, endpoint.id)).toEqual(older);
      expect((await sends.take(send(endpoint), "new")).kind).toBe("full");
      clock.advance(60_000);
      const listed = async () =>
        (await sends.listDue(100)).filter((each) => each.organizationId === organizationId);
      expect(await listed()).toEqual([again]);
      expect(await listed()).toEqual([]);
      for (const each of [older, older, newer]) await sends.stopWaiting(each);
      expect(await sends.firstWaiting(organizationId, endpoint.id)).toBeUndefined();
      expect((await sends.noneWaiting(one, endpoint.id)).endpoints[0]?.isWaitedFor).toBe(true);
      expect((await sends.noneWaiting(again, endpoint.id)).endpoints).toEqual([]);
      clock.advance(60_000);
      expect(await listed()).toEqual([]);
      expect((await sends.take(send(endpoint), "new")).kind).toBe("taken");
    });
  });

  describe("the store of deliveries", () => {
    it("keeps the first of what is made twice, and notes nothing of a round that is over", async () => {
      const { deliveries, endpoint, organizationId, at } = await setUp();
      const delivery = aDelivery(endpoint, { createdAt: at() });
      const { id: deliveryId, eventId, createdAt } = delivery;
      for (const body of ["first", "second"]) {
        await deliveries.putMessage({ organizationId, eventId, createdAt, body });
        await deliveries.create({
          ...delivery,
          eventType: body === "first" ? "run.complete" : "run.running",
        });
      }
      expect(await deliveries.find(organizationId, deliveryId)).toEqual(delivery);
      expect(await deliveries.findBody(organizationId, eventId)).toBe("first");
      expect(await deliveries.findBody(anOrganization(), eventId)).toBeUndefined();
      const begun = await deliveries.beginRound(organizationId, deliveryId);
      expect(begun).toMatchObject({ round: 2, status: "pending" });
      await deliveries.note(delivery, { status: "failed", nextAttemptAt: null });
      expect(await deliveries.find(organizationId, deliveryId)).toEqual(begun);
      expect(await deliveries.beginRound(anOrganization(), deliveryId)).toBeUndefined();
    });

    it("lets one start of several at once begin an attempt, and that one again", async () => {
      const { deliveries, endpoint, clock, at } = await setUp();
      const delivery = aDelivery(endpoint, { createdAt: at() });
      await deliveries.create(delivery);
      const first = firstAttempt(delivery);
      const kindOf = async (startId: string, job = first) => (await deliveries.begin(job, startId)).kind;
      expect((await Promise.all(["a", "b", "c"].map((startId) => kindOf(startId)))).toSorted()).toEqual([
        "begun",
        "elsewhere",
        "elsewhere",
      ]);
      clock.advance(attemptMs);
      const untilMs = clock.now() + attemptMs;
      clock.advance(1);
      expect(await deliveries.begin(first, "d")).toEqual({ kind: "begun", delivery });
      expect(await deliveries.begin(first, "d")).toEqual({ kind: "begun", delivery });
      expect(await deliveries.begin(first, "a")).toEqual({ kind: "elsewhere", untilMs: untilMs + 1 });
      expect(await kindOf("a", { ...first, organizationId: anOrganization() })).toBe("over");
    });

    it("begins no attempt that has an outcome, a later one, an end, or a later round", async () => {
      const { deliveries, endpoint, organizationId, at } = await setUp();
      const delivery = aDelivery(endpoint, { createdAt: at() });
      await deliveries.create(delivery);
      const first = firstAttempt(delivery);
      const second = { ...first, number: 2 };
      await deliveries.begin(first, "a");
      const nextAttemptAt = at();
      await deliveries.note(delivery, { status: "pending", nextAttemptAt });
      for (const startId of ["a", "b"]) {
        expect(await deliveries.begin(first, startId)).toEqual({ kind: "made", nextAttemptAt });
      }
      expect((await deliveries.begin(second, "a")).kind).toBe("begun");
      expect(await deliveries.begin(first, "a")).toEqual({ kind: "over", status: "pending" });
      const begun = await deliveries.beginRound(organizationId, delivery.id);
      if (begun === undefined) throw new Error("it was created");
      expect(await deliveries.begin(second, "a")).toEqual({ kind: "over", status: "pending" });
      expect((await deliveries.begin(firstAttempt(begun), "a")).kind).toBe("begun");
      await deliveries.note(begun, { status: "delivered", nextAttemptAt: null });
      expect(await deliveries.begin(firstAttempt(begun), "a")).toEqual({ kind: "over", status: "delivered" });
    });
  });
}
