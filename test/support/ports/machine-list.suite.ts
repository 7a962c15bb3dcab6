import { v7 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { MachineFilter, MachineStore } from "../../../shared/domain/machine/machine-store.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { aConnection, aMachine, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

/** A limit so small that a few machines are too many to search. */
const searchRowsMax = 12;

const start = Date.UTC(2026, 0, 15, 12);

export function machineListSuite(create: CreateTableStores): void {
  describe("a machine store's list", () => {
    const organizationId = anOrganization();
    let machines: MachineStore;
    let made: Machine[];

    beforeAll(async () => {
      const stores = create({ searchRowsMax });
      machines = stores.machines;
      made = Array.from({ length: 12 }, (_, index) => {
        const createdAtMs = start + index * 1_000;
        return aMachine({
          organizationId,
          id: v7({ msecs: createdAtMs }),
          createdAt: new Date(createdAtMs).toISOString(),
          name: index % 3 === 0 ? "Shop" : `desk ${index}`,
          hostname: index === 5 ? "PRINTER-5" : `host-${index}`,
        });
      });
      for (const machine of made) await machines.create(machine);
      await machines.create(aMachine({ name: "Shop" }));
      // Machines 0 and 3 are connected, 3 and 6 out of service.
      for (const index of [0, 3]) {
        const connection = aConnection(at(index));
        await stores.connections.open(connection);
        await stores.connections.activate(connection, {}, start);
      }
      for (const index of [3, 6]) await machines.update(organizationId, at(index).id, { outOfService: true });
    });

    function at(index: number): Machine {
      const machine = made[index];
      if (!machine) throw new Error(`there is no machine ${index}`);
      return machine;
    }

    const list = async (filter: MachineFilter, skip = 0, limit = 100) => {
      const { items, total } = await machines.list(organizationId, filter, { skip, limit });
      return { found: items.map((item) => made.findIndex((machine) => machine.id === item.id)), total };
    };

    it("has the organization's machines and no others, newest first, with the total", async () => {
      expect(await list({})).toEqual({ found: [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], total: 12 });
      expect(await machines.list(organizationIdOf("org_nobody"), {}, { skip: 0, limit: 1 })).toEqual({
        items: [],
        total: 0,
      });
    });

    it.each([2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER])(
      "has nothing past the first %i",
      async (skip) => {
        expect(await list({}, skip)).toEqual({ found: [], total: 12 });
        expect(await list({ status: "disconnected", name: "Shop" }, skip)).toMatchObject({ found: [] });
      },
    );

    it("answers any page of it", async () => {
      expect(await list({}, 0, 5)).toEqual({ found: [11, 10, 9, 8, 7], total: 12 });
      expect(await list({}, 5, 5)).toEqual({ found: [6, 5, 4, 3, 2], total: 12 });
      expect(await list({}, 10, 5)).toEqual({ found: [1, 0], total: 12 });
      expect(await list({}, 12, 5)).toEqual({ found: [], total: 12 });
      expect(await list({}, 1_000, 5)).toEqual({ found: [], total: 12 });
    });

    it("filters by name, exactly", async () => {
      expect(await list({ name: "Shop" })).toEqual({ found: [9, 6, 3, 0], total: 4 });
      expect(await list({ name: "Shop" }, 1, 2)).toEqual({ found: [6, 3], total: 4 });
      expect(await list({ name: "shop" })).toEqual({ found: [], total: 0 });
    });

    it("filters by status", async () => {
      expect(await list({ status: "connected" })).toEqual({ found: [0], total: 1 });
      expect(await list({ status: "error" })).toEqual({ found: [6, 3], total: 2 });
      expect((await list({ status: "disconnected" })).total).toBe(9);
      expect(await list({ status: ["connected", "error"] })).toEqual({ found: [6, 3, 0], total: 3 });
      expect(await list({ status: ["connected", "error"], name: "Shop" }, 1, 1)).toEqual({
        found: [3],
        total: 3,
      });
    });

    it("answers the page behind a machine, whatever came since", async () => {
      const behind = async (index: number, filter: MachineFilter = {}) => {
        const page = { skip: 0, limit: 3, after: at(index).id };
        const { items, total } = await machines.list(organizationId, filter, page);
        return { found: items.map((item) => made.findIndex((machine) => machine.id === item.id)), total };
      };
      expect(await behind(5)).toEqual({ found: [4, 3, 2], total: 12 });
      expect(await behind(0)).toEqual({ found: [], total: 12 });
      expect(await behind(6, { status: ["connected", "error"] })).toEqual({ found: [3, 0], total: 3 });
      expect(await behind(5, { search: "shop" })).toEqual({ found: [3, 0], total: 4 });
    });

    it("filters by creation, exact to the millisecond, both ends included", async () => {
      const moment = (ms: number) => new Date(start + ms).toISOString();
      expect(await list({ createdAtFrom: moment(3_000), createdAtTo: moment(5_000) })).toEqual({
        found: [5, 4, 3],
        total: 3,
      });
      expect((await list({ createdAtFrom: moment(3_001), createdAtTo: moment(4_999) })).found).toEqual([4]);
      expect((await list({ createdAtFrom: moment(10_000) })).found).toEqual([11, 10]);
      expect((await list({ createdAtTo: moment(1_000) })).found).toEqual([1, 0]);
      expect((await list({ createdAtTo: "2026-01-15T13:00:01.000+01:00" })).found).toEqual([1, 0]);
      expect(await list({ createdAtFrom: moment(5_000), createdAtTo: moment(3_000) })).toEqual({
        found: [],
        total: 0,
      });
    });

    it("combines its filters", async () => {
      const from = new Date(start + 3_000).toISOString();
      expect(await list({ name: "Shop", createdAtFrom: from })).toEqual({ found: [9, 6, 3], total: 3 });
      expect(await list({ status: "error", createdAtTo: from })).toEqual({ found: [3], total: 1 });
      expect(await list({ name: "Shop", status: "disconnected" })).toEqual({ found: [9], total: 1 });
      expect(await list({ name: "Shop", status: "error", createdAtTo: from })).toEqual({
        found: [3],
        total: 1,
      });
    });

    it("searches id, name and hostname, whatever the case", async () => {
      expect(await list({ search: "printer" })).toEqual({ found: [5], total: 1 });
      expect(await list({ search: "sHOp" }, 1, 2)).toEqual({ found: [6, 3], total: 4 });
      expect((await list({ search: at(7).id.toUpperCase() })).found).toEqual([7]);
      expect((await list({ search: "shop", status: "error" })).found).toEqual([6, 3]);
      expect(await list({ search: "nothing has this" })).toEqual({ found: [], total: 0 });
    });

    it("refuses a search over too many rows, and takes it again with a narrower range", async () => {
      const extra = aMachine({
        organizationId,
        id: v7({ msecs: start - 1_000 }),
        createdAt: new Date(start - 1_000).toISOString(),
      });
      await machines.create(extra);
      await expect(list({ search: "printer" })).rejects.toMatchObject({ code: "search_too_broad" });
      const createdAtFrom = new Date(start).toISOString();
      expect((await list({ search: "printer", createdAtFrom })).found).toEqual([5]);
      await machines.markDeleted(organizationId, extra.id, extra.createdAt);
      expect((await list({ search: "printer" })).found).toEqual([5]);
    });

    it("finds a machine under its new name at once, and no longer under the old one", async () => {
      const organization = anOrganization();
      const machine = aMachine({ organizationId: organization, name: "old" });
      await machines.create(machine);
      await machines.update(organization, machine.id, { name: "new" });
      const total = async (name: string) =>
        (await machines.list(organization, { name }, { skip: 0, limit: 1 })).total;
      expect([await total("old"), await total("new")]).toEqual([0, 1]);
    });
  });
}
