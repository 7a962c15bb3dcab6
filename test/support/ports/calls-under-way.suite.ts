import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { callsUnderWayKey } from "../../../shared/storage/table/keys.ts";
import { aMachine } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function callsUnderWaySuite(create: CreateTableStores): void {
  const setUp = async () => {
    const clock = new FakeClock();
    const { callsUnderWay, machines, table } = create({ clock });
    const machine = aMachine();
    const { organizationId } = machine;
    await machines.create(machine);
    const count = async () => (await machines.findWithCalls(organizationId, machine.id))?.callsUnderWay;
    const calls = (number: number) =>
      Array.from({ length: number }, () => ({ organizationId, requestId: randomUUID() }));
    const note = async (begun: ReturnType<typeof calls>, ended: ReturnType<typeof calls>) => {
      for (const call of begun) await callsUnderWay.begin(call, clock.now() + 30_000);
      for (const call of ended) await callsUnderWay.end(call);
    };
    return { clock, machines, machine, table, organizationId, count, calls, note };
  };

  describe("calls under way", () => {
    it("are none before the first, and none of a machine that is not there", async () => {
      const { machines, machine, organizationId, count, calls, note } = await setUp();
      expect(await count()).toBe(0);
      expect(await machines.findWithCalls(organizationId, machine.id)).toEqual({ machine, callsUnderWay: 0 });
      await note(calls(2), []);
      expect(await machines.findWithCalls(organizationId, randomUUID())).toBeUndefined();
      await machines.markDeleted(organizationId, machine.id, "2026-01-15T12:00:00.000Z");
      expect(await count()).toBeUndefined();
    });

    it("are counted once, however often a change is noted", async () => {
      const { count, calls, note } = await setUp();
      const [first, second] = [calls(100), calls(100)];
      await note(first, []);
      await note(second, []);
      await note(first, []);
      expect(await count()).toBe(200);
      const third = calls(3);
      await note(third, first);
      await note(third, first);
      expect(await count()).toBe(103);
      await note([], [...second, ...third]);
      expect(await count()).toBe(0);
    });

    it("whose end is never noted count until their lease has ended, and are then forgotten", async () => {
      const { clock, table, organizationId, count, calls, note } = await setUp();
      await note(calls(100), []);
      clock.advance(30_000);
      expect(await count()).toBe(100);
      clock.advance(1);
      expect(await count()).toBe(0);
      await note(calls(1), []);
      expect(await count()).toBe(1);
      const row = await table.get(callsUnderWayKey(organizationId));
      expect(Object.keys(row ?? {}).filter((name) => name.startsWith("call_"))).toHaveLength(1);
    });
  });
}
