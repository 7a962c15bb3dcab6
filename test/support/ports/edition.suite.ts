import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ChangedMeanwhile, type Edit } from "../../../shared/domain/entity/edition.ts";
import type { EntityStore } from "../../../shared/domain/entity/entity-store.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { aConnection, anIdempotency, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores, TableStores } from "../stores/table-stores.ts";

interface Options {
  readonly edit?: Edit;
  readonly idempotency?: Idempotency;
}

interface Revised {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly revision: number;
  readonly edition: number;
}

interface Kind {
  readonly store: EntityStore<Revised>;
  readonly put: (its: { readonly organizationId: OrganizationId }) => Promise<Revised>;
  /** The `at` makes each write another one. */
  readonly write: (one: Revised, at: string, options: Options) => Promise<unknown>;
}

const updatedAt = "2026-03-01T00:00:00.000Z";

const kinds: Readonly<Record<string, (stores: TableStores) => Kind>> = {
  workflow: ({ workflows, put }) => ({
    store: workflows,
    put: put.workflow,
    write: ({ organizationId, id }, name, options) =>
      workflows.update(organizationId, id, { name, updatedAt }, options),
  }),
  "workflow's prompt": ({ workflows, put }) => ({
    store: workflows,
    put: put.workflow,
    write: async ({ organizationId, id }, mainPrompt, { edit, idempotency }) => {
      const before = await workflows.find(organizationId, id);
      if (before === undefined) throw new Error("the workflow is gone");
      const replaced = { id: v7(), workflowId: id, mainPrompt: before.mainPrompt };
      const version = { ...replaced, createdAt: updatedAt, replacedAt: updatedAt };
      const options = { edit, idempotency, before, version };
      return await workflows.update(organizationId, id, { mainPrompt, updatedAt }, options);
    },
  }),
  machine: ({ machines, put }) => ({
    store: machines,
    put: put.machine,
    write: ({ organizationId, id }, name, options) => machines.update(organizationId, id, { name }, options),
  }),
  pool: ({ pools, put }) => ({
    store: pools,
    put: put.pool,
    write: ({ organizationId, id }, description, options) =>
      pools.update(organizationId, id, { description, updatedAt }, options),
  }),
  trajectory: ({ trajectories, put }) => ({
    store: trajectories,
    put: put.trajectory,
    write: ({ organizationId, id }, name, { edit, idempotency }) =>
      trajectories.update(organizationId, id, { name, updatedAt }, idempotency, edit),
  }),
  "trajectory as read": ({ trajectories, put }) => ({
    store: trajectories,
    put: put.trajectory,
    write: async ({ organizationId, id }, name, { edit, idempotency }) => {
      const before = await trajectories.find(organizationId, id);
      if (before === undefined) throw new Error("the trajectory is gone");
      return await trajectories.updateAsRead(before, { name, updatedAt }, idempotency, edit);
    },
  }),
};

const deletedAt = "2026-03-02T00:00:00.000Z";

export function editionSuite(create: CreateTableStores): void {
  describe.each(Object.entries(kinds))("the edition of a %s", (_name, kindOf) => {
    const setUp = async () => {
      const stores = create();
      const kind = kindOf(stores);
      const one = await kind.put({ organizationId: anOrganization() });
      return {
        one,
        records: stores.idempotencyRecords,
        write: (at: string, options: Options) => kind.write(one, at, options),
        now: async () => {
          const found = await kind.store.find(one.organizationId, one.id);
          return found && [found.edition, found.revision];
        },
        markDeleted: (edit: Edit, idempotency?: Idempotency) =>
          kind.store.markDeleted(one.organizationId, one.id, deletedAt, idempotency, edit),
      };
    };

    it("is raised by a person's writes, and by no other", async () => {
      const { one, write, now } = await setUp();
      expect(await now()).toEqual([0, one.revision]);
      await write("a", {});
      expect(await now()).toEqual([0, one.revision + 1]);
      await write("b", { edit: {} });
      await write("c", { edit: {}, idempotency: anIdempotency(one.organizationId) });
      await write("d", {});
      expect(await now()).toEqual([2, one.revision + 4]);
    });

    it("is one of those that the write names, or nothing is written", async () => {
      const { one, records, write, now } = await setUp();
      const [first, second] = [anIdempotency(one.organizationId), anIdempotency(one.organizationId)];
      await write("a", { edit: { ifEdition: [0] } });
      await write("b", { edit: { ifEdition: [3, 1] }, idempotency: first });
      expect(await now()).toEqual([2, one.revision + 2]);
      for (const ifEdition of [[], [0], [1, 3]]) {
        for (const idempotency of [undefined, second]) {
          const refused = write("c", { edit: { ifEdition }, ...(idempotency && { idempotency }) });
          await expect(refused).rejects.toMatchObject({ code: "changed_meanwhile", tag: '"2"' });
        }
      }
      expect(await now()).toEqual([2, one.revision + 2]);
      expect(await records.find(first)).toMatchObject({ kind: "done", result: { edition: 2 } });
      expect(await records.find(second)).toBeUndefined();
    });

    it("is one that a deletion names, or it stays", async () => {
      const { one, write, now, markDeleted } = await setUp();
      await write("a", { edit: {} });
      for (const idempotency of [undefined, anIdempotency(one.organizationId)]) {
        await expect(markDeleted({ ifEdition: [0, 2] }, idempotency)).rejects.toThrow(ChangedMeanwhile);
      }
      expect(await now()).toBeDefined();
      expect(await markDeleted({ ifEdition: [1] })).toBe(true);
      expect(await markDeleted({ ifEdition: [5] })).toBe(false);
    });

    it("lets one of several writers who read the same go on", async () => {
      const { write, now } = await setUp();
      for (const edition of [0, 1, 2]) {
        const writes = ["a", "b", "c", "d"].map((at) =>
          write(`${at}${edition}`, { edit: { ifEdition: [edition] } }),
        );
        const settled = await Promise.allSettled(writes);
        expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        for (const each of settled) {
          if (each.status === "rejected") expect(each.reason).toBeInstanceOf(ChangedMeanwhile);
        }
        expect((await now())?.[0]).toBe(edition + 1);
      }
    });
  });

  describe("the edition of a machine and of its pools", () => {
    const setUp = async () => {
      const stores = create();
      const { put, machines, pools } = stores;
      const machine = await put.machine();
      const { organizationId, id: machineId } = machine;
      const pool = await put.pool({ organizationId });
      const now = async () => [
        (await machines.find(organizationId, machineId))?.edition,
        (await pools.find(organizationId, pool.id))?.edition,
      ];
      return { ...stores, machine, machineId, organizationId, pool, now };
    };

    it("is raised by whoever changes the membership, on their edition alone", async () => {
      const { memberships, organizationId, machineId, pool, now } = await setUp();
      const ids = [machineId];
      await memberships.addMachines(organizationId, pool.id, ids, undefined, { ifEdition: [0] });
      expect(await now()).toEqual([1, 1]);
      for (const change of ["addMachines", "removeMachines"] as const) {
        const refused = memberships[change](organizationId, pool.id, ids, undefined, { ifEdition: [0] });
        await expect(refused).rejects.toMatchObject({ tag: '"1"' });
      }
      await memberships.setPools(organizationId, machineId, [], undefined, { ifEdition: [1] });
      expect(await now()).toEqual([2, 2]);
      const late = memberships.setPools(organizationId, machineId, [pool.id], undefined, { ifEdition: [1] });
      await expect(late).rejects.toMatchObject({ tag: '"2"' });
      expect(await now()).toEqual([2, 2]);
    });

    it("lets one of two who read the same pool change its members", async () => {
      const { memberships, organizationId, machineId, pool, put, now } = await setUp();
      const other = await put.machine({ organizationId });
      const settled = await Promise.allSettled(
        [machineId, other.id].map((id) =>
          memberships.addMachines(organizationId, pool.id, [id], undefined, { ifEdition: [0] }),
        ),
      );
      expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await now())[1]).toBe(1);
    });

    it("stays when the machine connects, is pinged and is deleted", async () => {
      const { connections, machines, memberships, machine, organizationId, pool, now, clock } = await setUp();
      await memberships.setPools(organizationId, machine.id, [pool.id]);
      const connection = aConnection(machine);
      await connections.open(connection);
      await connections.activate(connection, { version: "2" }, clock.now());
      await connections.ping(connection.websocketId, clock.now() + 60_000);
      expect(await now()).toEqual([1, 1]);
      await machines.markDeleted(organizationId, machine.id, deletedAt);
      await memberships.leaveAllPools(organizationId, machine.id);
      expect(await now()).toEqual([undefined, 1]);
    });
  });

  it("a trajectory that another takes the place of as the main one is edited with it", async () => {
    const { trajectories, put } = create();
    const first = await put.trajectory({ isApproved: true });
    const { organizationId, workflowId } = first;
    const second = await put.trajectory({ organizationId, workflowId, isApproved: true });
    await trajectories.updateAsRead(first, { isMain: true, updatedAt });
    await trajectories.updateAsRead(second, { isMain: true, updatedAt }, undefined, {});
    expect(await trajectories.find(organizationId, first.id)).toMatchObject({ isMain: false, edition: 1 });
    expect(await trajectories.find(organizationId, second.id)).toMatchObject({ isMain: true, edition: 1 });
  });
}
