import { describe, expect, it } from "vitest";
import {
  type Claim,
  type ClaimStore,
  ClaimTaken,
  idempotencyWindowMs,
  leaseMs,
} from "../../../shared/domain/idempotency/claim.ts";
import { aClaim, anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";

/** A second attempt under the same Idempotency-Key. */
function again(claim: Claim, fields: Partial<Claim> = {}): Claim {
  const { organizationId, id, bodyMac } = claim;
  return aClaim(organizationId, { id, bodyMac, ...fields });
}

async function taken(attempt: Promise<unknown>): Promise<ClaimTaken["record"]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClaimTaken);
  return (error as ClaimTaken).record;
}

/** What every ClaimStore does. */
export function claimStoreSuite(create: (clock: FakeClock) => Promise<ClaimStore> | ClaimStore): void {
  describe("a claim store", () => {
    const setUp = async () => {
      const clock = new FakeClock();
      return { clock, store: await create(clock), claim: aClaim(anOrganization()) };
    };

    it("knows nothing of a claim that nobody held", async () => {
      const { store, claim } = await setUp();
      expect(await store.find(claim)).toBeUndefined();
    });

    it("gives the lease to the first, with its own ids and no repeat", async () => {
      const { store, claim, clock } = await setUp();
      expect(await store.hold(claim)).toEqual({ ...claim, held: true, repeat: false });
      expect(await store.find(claim)).toEqual({
        kind: "in_progress",
        bodyMac: claim.bodyMac,
        leasedUntilMs: clock.now() + leaseMs,
      });
    });

    it("answers a held claim as it is when it is to be held again", async () => {
      const { store, claim } = await setUp();
      const held = await store.hold(claim);
      expect(await store.hold(held)).toEqual(held);
      expect(await store.hold(claim)).toEqual(held);
    });

    it("refuses a second attempt while the first lives", async () => {
      const { store, claim, clock } = await setUp();
      await store.hold(claim);
      const until = clock.now() + leaseMs;
      clock.advance(leaseMs - 1);
      expect(await taken(store.hold(again(claim)))).toEqual({
        kind: "in_progress",
        bodyMac: claim.bodyMac,
        leasedUntilMs: until,
      });
    });

    it("lets a second attempt take over when the lease is over: the first one's ids, and repeat", async () => {
      const { store, claim, clock } = await setUp();
      await store.hold(claim);
      clock.advance(leaseMs);
      const second = again(claim);
      expect(await store.hold(second)).toEqual({ ...second, held: true, repeat: true, ids: claim.ids });
      expect(await taken(store.hold(again(claim)))).toMatchObject({ kind: "in_progress" });
    });

    it("lets one of two take over at once, not both", async () => {
      const { store, claim, clock } = await setUp();
      await store.hold(claim);
      clock.advance(leaseMs);
      const outcomes = await Promise.allSettled([store.hold(again(claim)), store.hold(again(claim))]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    it("never lets another body take over, and says which body the record has", async () => {
      const { store, claim, clock } = await setUp();
      await store.hold(claim);
      clock.advance(leaseMs);
      const record = await taken(store.hold(again(claim, { bodyMac: "k1.another" })));
      expect(record).toMatchObject({ kind: "in_progress", bodyMac: claim.bodyMac });
    });

    it("keeps the answer for whoever asks again", async () => {
      const { store, claim } = await setUp();
      const held = await store.hold(claim);
      await store.complete(held, { status: "ok", list: [1, { deep: null }], text: "" });
      const done = {
        kind: "done",
        bodyMac: claim.bodyMac,
        result: { status: "ok", list: [1, { deep: null }], text: "" },
      };
      expect(await store.find(again(claim))).toEqual(done);
      expect(await taken(store.hold(again(claim)))).toEqual(done);
    });

    it("forgets the answer after 24 hours, and then begins anew", async () => {
      const { store, claim, clock } = await setUp();
      await store.complete(await store.hold(claim), { a: 1 });
      clock.advance(idempotencyWindowMs);
      expect(await store.find(claim)).toBeUndefined();
      const second = again(claim, { bodyMac: "k1.another" });
      expect(await store.hold(second)).toEqual({ ...second, held: true, repeat: false });
    });

    it("ignores the answer, the release and the suspension of one that was overtaken", async () => {
      const { store, claim, clock } = await setUp();
      const first = await store.hold(claim);
      clock.advance(leaseMs);
      await store.hold(again(claim));
      await store.complete(first, "late");
      await store.release(first);
      await store.suspend(first);
      expect(await store.find(claim)).toEqual({
        kind: "in_progress",
        bodyMac: claim.bodyMac,
        leasedUntilMs: clock.now() + leaseMs,
      });
    });

    it("changes no answer any more once it is on record", async () => {
      const { store, claim } = await setUp();
      const held = await store.hold(claim);
      await store.complete(held, "first");
      await store.complete(held, "second");
      await store.release(held);
      expect(await store.find(claim)).toMatchObject({ kind: "done", result: "first" });
    });

    it("forgets a released claim: the next attempt is a first one", async () => {
      const { store, claim } = await setUp();
      await store.release(await store.hold(claim));
      expect(await store.find(claim)).toBeUndefined();
      const second = again(claim, { bodyMac: "k1.another" });
      expect(await store.hold(second)).toEqual({ ...second, held: true, repeat: false });
    });

    it("lets the next attempt on a suspended claim begin at once, with repeat", async () => {
      const { store, claim } = await setUp();
      await store.suspend(await store.hold(claim));
      const second = again(claim);
      expect(await store.hold(second)).toEqual({ ...second, held: true, repeat: true, ids: claim.ids });
    });

    it("keeps the claims of two organizations apart", async () => {
      const { store, claim } = await setUp();
      await store.hold(claim);
      const other = again({ ...claim, organizationId: anOrganization() });
      expect(await store.hold(other)).toMatchObject({ held: true, repeat: false });
    });
  });
}
