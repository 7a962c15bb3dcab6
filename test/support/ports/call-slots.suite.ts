import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CallSlot, DesktopCall } from "../../../shared/domain/tunnel/call-slots.ts";
import { callSlotKey, formerCallSlotKey } from "../../../shared/storage/table/keys.ts";
import { anOrganization, aDesktopCall } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function callSlotsSuite(create: CreateTableStores): void {
  const setUp = () => {
    const clock = new FakeClock();
    const { slots, table } = create({ clock });
    const organizationId = anOrganization();
    const connectionId = randomUUID();
    const aCall = (fields: Partial<DesktopCall> = {}) => aDesktopCall({ organizationId, connectionId, ...fields });
    const takeAll = async () => await Promise.all(Array.from({ length: 4 }, () => slots.take(aCall())));
    const rowOf = async ({ number }: CallSlot) =>
      await table.get(callSlotKey(organizationId, connectionId, number));
    return { clock, slots, table, aCall, takeAll, rowOf };
  };
  const given = { outcome: 200, durationMs: 30, bytes: 2 } as const;

  describe("call slots", () => {
    it("are four to a connection, however many calls come at once", async () => {
      const { slots, aCall } = setUp();
      const taken = await Promise.all(Array.from({ length: 12 }, () => slots.take(aCall())));
      const numbers = taken.flatMap((slot) => (slot ? [slot.number] : []));
      expect(numbers.sort()).toEqual([0, 1, 2, 3]);
      expect(await slots.take(aCall({ connectionId: randomUUID() }))).toBeDefined();
    });

    it("of all connections change in one partition, so that one batch of the stream has many ends of calls", () => {
      const organizationId = anOrganization();
      const keys = [randomUUID(), randomUUID()].map((id) => callSlotKey(organizationId, id, 0));
      expect(new Set(keys.map(({ pk }) => pk)).size).toBe(1);
      expect(new Set(keys.map(({ sk }) => sk)).size).toBe(2);
    });

    it("can be taken again once given back, and say what became of the call", async () => {
      const { slots, aCall, takeAll, rowOf } = setUp();
      const [slot] = await takeAll();
      if (!slot) throw new Error("there was no slot");
      expect(await rowOf(slot)).toMatchObject({ request_id: slot.call.requestId, principal: "p" });
      await slots.giveBack(slot, given);
      const row = await rowOf(slot);
      expect(row).toMatchObject({
        request_id: slot.call.requestId,
        outcome: "200",
        duration_ms: 30,
        bytes: 2,
      });
      expect(row).not.toHaveProperty("lease_until_ms");
      expect(await slots.take(aCall())).toMatchObject({ number: slot.number });
      expect(await rowOf(slot)).not.toHaveProperty("outcome");
    });

    it("of callers that crashed are free after 30 s, and not theirs any more", async () => {
      const { clock, slots, aCall, takeAll, rowOf } = setUp();
      const crashed = await takeAll();
      clock.advance(30_000);
      expect(await slots.take(aCall())).toBeUndefined();
      clock.advance(1);
      const next = await slots.take(aCall());
      const late = crashed.find((slot) => slot?.number === next?.number);
      if (!next || !late) throw new Error("there was no slot");
      await slots.giveBack(late, given);
      expect(await rowOf(next)).toMatchObject({
        request_id: next.call.requestId,
        lease_until_ms: expect.any(Number),
      });
      expect(await rowOf(next)).not.toHaveProperty("outcome");
    });

    it("are released where the answer arrives, by the call's id alone, whichever slot it has", async () => {
      const { slots, takeAll, rowOf } = setUp();
      for (const slot of await takeAll()) {
        if (!slot) throw new Error("there was no slot");
        expect(await slots.release(slot.call, given)).toBe(true);
        expect(await slots.release(slot.call, { ...given, outcome: 404 })).toBe(true);
        expect(await rowOf(slot)).toMatchObject({ request_id: slot.call.requestId, outcome: "200" });
        expect(await rowOf(slot)).not.toHaveProperty("lease_until_ms");
      }
    });

    it("that a function of the release before took are released, too", async () => {
      const { slots, aCall, rowOf, table } = setUp();
      const slot = await slots.take(aCall());
      if (!slot) throw new Error("there was no slot");
      const { organizationId, connectionId } = slot.call;
      const key = formerCallSlotKey(organizationId, connectionId, slot.number);
      await table.put({ ...(await rowOf(slot)), ...key });
      await table.delete(callSlotKey(organizationId, connectionId, slot.number));
      expect(await slots.release(slot.call, given)).toBe(true);
      expect(await table.get(key)).toMatchObject({ outcome: "200" });
    });

    it("of a call that has none are not released, and not taken by one that is over", async () => {
      const { slots, aCall } = setUp();
      const call = aCall();
      expect(await slots.release(call, given)).toBe(false);
      const slot = await slots.take(call);
      await slots.release(call, given);
      expect(await slots.take(call)).toEqual(slot);
      const four = Array.from({ length: 4 }, () => slots.take(aCall()));
      expect(await Promise.all(four)).not.toContain(undefined);
    });

    it("are not given twice to a call whose first attempt was written", async () => {
      const { slots, aCall } = setUp();
      const call = aCall();
      expect(await slots.take(call)).toEqual(await slots.take(call));
    });
  });
}
