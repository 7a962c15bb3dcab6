import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Change } from "../../../shared/domain/live/change.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function hintStoreSuite(create: CreateTableStores): void {
  describe("a hint store", () => {
    const setUp = () => {
      const clock = new FakeClock();
      const organizationId = organizationIdOf(`org_${randomUUID()}`);
      return { clock, hints: create({ clock }).hints, organizationId };
    };
    const machine = (id: string, revision: number): Change => ({ kind: "machine", id, mark: `${revision}` });

    it("gives one turn the changes, and forgets those sent but not what has come since", async () => {
      const { hints, organizationId, clock } = setUp();
      expect(await hints.note(organizationId, [machine("a", 1), machine("b", 1)])).toBe(false);
      const pending = await hints.begin(organizationId, "one");
      expect(new Set(pending?.changes)).toEqual(new Set([machine("a", 1), machine("b", 1)]));
      expect(await hints.begin(organizationId, "two")).toBeUndefined();
      expect(await hints.note(organizationId, [machine("a", 2)])).toBe(true);
      const sent = { changes: pending?.changes ?? [], notBeforeMs: clock.now() + 1_000 };
      const left = { changes: [machine("a", 2)], notBeforeMs: clock.now() + 1_000 };
      expect(await hints.goOn(organizationId, "one", sent)).toEqual(left);
      expect(await hints.end(organizationId, "one")).toBe(false);
      await hints.goOn(organizationId, "one", left);
      expect(await hints.end(organizationId, "one")).toBe(true);
      expect(await hints.note(organizationId, [machine("c", 1)])).toBe(false);
      expect(await hints.begin(organizationId, "two")).toEqual({ ...left, changes: [machine("c", 1)] });
    });

    it("gives the changes of a turn that died to the next one, which the first cannot disturb", async () => {
      const { hints, organizationId, clock } = setUp();
      await hints.note(organizationId, [machine("a", 1)]);
      await hints.begin(organizationId, "one");
      clock.advance(19_999);
      expect(await hints.begin(organizationId, "two")).toBeUndefined();
      clock.advance(1);
      expect((await hints.begin(organizationId, "two"))?.changes).toEqual([machine("a", 1)]);
      expect(await hints.goOn(organizationId, "one")).toBeUndefined();
      expect(await hints.end(organizationId, "one", true)).toBe(false);
      expect(await hints.end(organizationId, "two", true)).toBe(true);
      expect((await hints.begin(organizationId, "three"))?.changes).toEqual([machine("a", 1)]);
    });

    it("notes `all` where some two hundred changes wait", async () => {
      const { hints, organizationId } = setUp();
      const many = Array.from({ length: 100 }, (_, at) => machine(`m${at}`, 1));
      await hints.note(organizationId, many);
      await hints.note(
        organizationId,
        many.map(({ id }) => machine(id, 2)),
      );
      await hints.note(organizationId, [machine("m0", 3)]);
      const { changes = [] } = (await hints.begin(organizationId, "one")) ?? {};
      expect([changes.length, changes.filter(({ kind }) => kind === "all").length]).toEqual([201, 1]);
    });
  });
}
