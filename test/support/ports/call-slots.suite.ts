import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { DesktopCall } from "../../../shared/domain/tunnel/call-records.ts";
import type { CallSlot } from "../../../shared/domain/tunnel/call-slots.ts";
import { callSlotKey } from "../../../shared/storage/table/keys.ts";
import { aDesktopCall, anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function callSlotsSuite(create: CreateTableStores): void {
  const setUp = () => {
    const clock = new FakeClock();
    const { slots, table } = create({ clock });
    const organizationId = anOrganization();
    const connectionId = randomUUID();
    const aCall = (fields: Partial<DesktopCall> = {}) =>
      aDesktopCall({ organizationId, connectionId, ...fields });
    const takeAll = async () => await Promise.all(Array.from({ length: 4 }, () => slots.take(aCall())));
    const rowOf = async ({ number }: CallSlot) =>
      await table.get(callSlotKey(organizationId, connectionId, number));
    return { clock, slots, aCall, takeAll, rowOf };
  };

  describe("call slots", () => {
    it("are four to a connection, however many calls come at once", async () => {
      const { slots, aCall } = setUp();
      const taken = await Promise.all(Array.from({ length: 12 }, () => slots.take(aCall())));
      const numbers = taken.flatMap((slot) => (slot ? [slot.number] : []));
      expect(numbers.sort()).toEqual([0, 1, 2, 3]);
      expect(await slots.take(aCall({ connectionId: randomUUID() }))).toBeDefined();
    });

    it("can be taken again once given back", async () => {
      const { slots, aCall, takeAll, rowOf } = setUp();
      const [slot] = await takeAll();
      if (!slot) throw new Error("there was no slot");
      expect(await slots.take(aCall())).toBeUndefined();
      await slots.giveBack(slot);
      expect(await rowOf(slot)).not.toHaveProperty("lease_until_ms");
      expect(await slots.take(aCall())).toMatchObject({ number: slot.number });
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
      await slots.giveBack(late);
      expect(await rowOf(next)).toMatchObject({
        request_id: next.call.requestId,
        lease_until_ms: expect.any(Number),
      });
    });

    it("are not given twice to a call whose first attempt was written", async () => {
      const { slots, aCall } = setUp();
      const call = aCall();
      expect(await slots.take(call)).toEqual(await slots.take(call));
    });
  });
}
