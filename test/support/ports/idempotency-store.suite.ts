import { describe, expect, it } from "vitest";
import {
  AlreadyOnRecord,
  type Idempotency,
  idempotencyWindowMs,
  leaseMs,
} from "../../../shared/domain/idempotency/idempotency.ts";
import { idempotencyRecordKey } from "../../../shared/storage/table/keys.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

function again(idempotency: Idempotency, fields: Partial<Idempotency> = {}): Idempotency {
  const { organizationId, id, bodyMac } = idempotency;
  return anIdempotency(organizationId, { id, bodyMac, ...fields });
}

async function taken(attempt: Promise<unknown>): Promise<AlreadyOnRecord["record"]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AlreadyOnRecord);
  return (error as AlreadyOnRecord).record;
}

export function idempotencyStoreSuite(create: CreateTableStores): void {
  describe("an idempotency record store", () => {
    const setUp = async () => {
      const clock = new FakeClock();
      return {
        clock,
        store: create({ clock }).idempotencyRecords,
        idempotency: anIdempotency(anOrganization()),
      };
    };

    it("knows nothing of an idempotency record that nobody held", async () => {
      const { store, idempotency } = await setUp();
      expect(await store.find(idempotency)).toBeUndefined();
    });

    it("gives the lease to the first, with its own ids and no repeat", async () => {
      const { store, idempotency, clock } = await setUp();
      expect(await store.lease(idempotency)).toEqual({ ...idempotency, leased: true, repeat: false });
      expect(await store.find(idempotency)).toEqual({
        kind: "in_progress",
        bodyMac: idempotency.bodyMac,
        leasedUntilMs: clock.now() + leaseMs,
      });
    });

    it("answers a leased idempotency record as it is when it is to be held again", async () => {
      const { store, idempotency } = await setUp();
      const leased = await store.lease(idempotency);
      expect(await store.lease(leased)).toEqual(leased);
      expect(await store.lease(idempotency)).toEqual(leased);
    });

    it("refuses a second attempt while the first lives", async () => {
      const { store, idempotency, clock } = await setUp();
      await store.lease(idempotency);
      const until = clock.now() + leaseMs;
      clock.advance(leaseMs - 1);
      expect(await taken(store.lease(again(idempotency)))).toEqual({
        kind: "in_progress",
        bodyMac: idempotency.bodyMac,
        leasedUntilMs: until,
      });
    });

    it("lets a second attempt take over when the lease is over: the first one's ids, and repeat", async () => {
      const { store, idempotency, clock } = await setUp();
      await store.lease(idempotency);
      clock.advance(leaseMs);
      const second = again(idempotency);
      expect(await store.lease(second)).toEqual({
        ...second,
        leased: true,
        repeat: true,
        ids: idempotency.ids,
      });
      expect(await taken(store.lease(again(idempotency)))).toMatchObject({ kind: "in_progress" });
    });

    it("lets one of two take over at once, not both", async () => {
      const { store, idempotency, clock } = await setUp();
      await store.lease(idempotency);
      clock.advance(leaseMs);
      const outcomes = await Promise.allSettled([
        store.lease(again(idempotency)),
        store.lease(again(idempotency)),
      ]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    it("never lets another body take over, and says which body the record has", async () => {
      const { store, idempotency, clock } = await setUp();
      await store.lease(idempotency);
      clock.advance(leaseMs);
      const record = await taken(store.lease(again(idempotency, { bodyMac: "k1.another" })));
      expect(record).toMatchObject({ kind: "in_progress", bodyMac: idempotency.bodyMac });
    });

    it("keeps the answer for whoever asks again", async () => {
      const { store, idempotency } = await setUp();
      const leased = await store.lease(idempotency);
      await store.complete(leased, { status: "ok", list: [1, { deep: null }], text: "" });
      const done = {
        kind: "done",
        bodyMac: idempotency.bodyMac,
        result: { status: "ok", list: [1, { deep: null }], text: "" },
      };
      expect(await store.find(again(idempotency))).toEqual(done);
      expect(await taken(store.lease(again(idempotency)))).toEqual(done);
    });

    it("keeps it encrypted, and says that the outcome is unknown when it cannot be read", async () => {
      const { table, idempotencyRecords: store } = create({ clock: new FakeClock() });
      const [one, other] = [0, 1].map(() => anIdempotency(anOrganization()));
      if (!one || !other) throw new Error("there are two");
      const records = [one, other].map(({ organizationId, id }) => idempotencyRecordKey(organizationId, id));
      for (const each of [one, other]) await store.complete(await store.lease(each), { typed: "a canary" });
      const [item, target] = await table.batchGet(records);
      expect(Buffer.from(item?.result as Uint8Array).includes("canary")).toBe(false);
      await table.put({ ...target, ...records[1], result: item?.result } as Parameters<typeof table.put>[0]);
      await expect(store.find(again(other))).rejects.toMatchObject({ code: "outcome_unknown" });
      await expect(store.lease(again(other))).rejects.toMatchObject({ code: "outcome_unknown" });
    });

    it("forgets the answer after 24 hours, and then begins anew", async () => {
      const { store, idempotency, clock } = await setUp();
      await store.complete(await store.lease(idempotency), { a: 1 });
      clock.advance(idempotencyWindowMs);
      expect(await store.find(idempotency)).toBeUndefined();
      const second = again(idempotency, { bodyMac: "k1.another" });
      expect(await store.lease(second)).toEqual({ ...second, leased: true, repeat: false });
    });

    it("ignores the answer, the release and the suspension of one that was overtaken", async () => {
      const { store, idempotency, clock } = await setUp();
      const first = await store.lease(idempotency);
      clock.advance(leaseMs);
      await store.lease(again(idempotency));
      await store.complete(first, "late");
      await store.release(first);
      await store.suspend(first);
      expect(await store.find(idempotency)).toEqual({
        kind: "in_progress",
        bodyMac: idempotency.bodyMac,
        leasedUntilMs: clock.now() + leaseMs,
      });
    });

    it("changes no answer any more once it is on record", async () => {
      const { store, idempotency } = await setUp();
      const leased = await store.lease(idempotency);
      await store.complete(leased, "first");
      await store.complete(leased, "second");
      await store.release(leased);
      expect(await store.find(idempotency)).toMatchObject({ kind: "done", result: "first" });
    });

    it("forgets a released idempotency record: the next attempt is a first one", async () => {
      const { store, idempotency } = await setUp();
      await store.release(await store.lease(idempotency));
      expect(await store.find(idempotency)).toBeUndefined();
      const second = again(idempotency, { bodyMac: "k1.another" });
      expect(await store.lease(second)).toEqual({ ...second, leased: true, repeat: false });
    });

    it("lets the next attempt on a suspended idempotency record begin at once, with repeat", async () => {
      const { store, idempotency } = await setUp();
      await store.suspend(await store.lease(idempotency));
      const second = again(idempotency);
      expect(await store.lease(second)).toEqual({
        ...second,
        leased: true,
        repeat: true,
        ids: idempotency.ids,
      });
    });

    it("keeps the records of two organizations apart", async () => {
      const { store, idempotency } = await setUp();
      await store.lease(idempotency);
      const other = again({ ...idempotency, organizationId: anOrganization() });
      expect(await store.lease(other)).toMatchObject({ leased: true, repeat: false });
    });
  });
}
