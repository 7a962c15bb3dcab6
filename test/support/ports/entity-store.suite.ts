import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { EntityStore } from "../../../shared/domain/entity/entity-store.ts";
import { AlreadyOnRecord, type Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { aMachine, anAttachment, anIdempotency, anOrganization, aPool, aRun } from "../builders/entities.ts";
import { aTrajectory } from "../builders/trajectories.ts";
import { aModelConfiguration, aWorkflow } from "../builders/workflows.ts";
import type { CreateTableStores, TableStores } from "../stores/table-stores.ts";
import { newRuns } from "./run-store.suite.ts";

interface Entity {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly createdAt: string;
}

interface Kind {
  readonly store: EntityStore<Entity>;
  readonly make: () => Entity;
  /** Makes one that is refused while `one` is there. */
  readonly refusedBeside: (one: Entity) => Entity;
  create(entity: Entity, idempotency?: Idempotency): Promise<{ readonly kind: string }>;
  readonly change: (organization: OrganizationId, id: string, idempotency?: Idempotency) => Promise<unknown>;
  /** The outcome of a change of what is not there. */
  readonly unchanged: unknown;
  readonly list: (organization: OrganizationId) => Promise<{ readonly total: number }>;
  /** Fields that a deletion changes besides its own. */
  readonly whenDeleted?: object;
}

const deletedAt = "2026-03-02T00:00:00.000Z";
const updatedAt = "2026-03-01T00:00:00.000Z";
const page = { skip: 0, limit: 100 };
const notFound = { kind: "not_found" };

const under = (idempotency?: Idempotency) => (idempotency === undefined ? {} : { idempotency });

type KindName = "MACHINE" | "POOL" | "WORKFLOW" | "TRAJECTORY" | "ATTACHMENT" | "RUN";

const kinds: Readonly<
  Record<KindName, (stores: TableStores, its: { organizationId: OrganizationId }) => Promise<Kind>>
> = {
  MACHINE: async ({ machines: store }, its) => ({
    store,
    make: () => aMachine(its),
    refusedBeside: (one) => ({ ...one, id: v7() }),
    create: store.create.bind(store),
    change: (organization, id, idempotency) =>
      store.update(organization, id, { name: "x" }, under(idempotency)),
    unchanged: notFound,
    list: (organization) => store.list(organization, {}, page),
  }),
  POOL: async ({ pools: store }, its) => ({
    store,
    make: () => aPool(its),
    refusedBeside: (one) => ({ ...one, id: v7() }),
    create: store.create.bind(store),
    change: (organization, id, idempotency) =>
      store.update(organization, id, { updatedAt }, under(idempotency)),
    unchanged: notFound,
    list: (organization) => store.list(organization, {}, page),
  }),
  WORKFLOW: async ({ workflows: store }, its) => ({
    store,
    make: () => aWorkflow(its),
    refusedBeside: () => aWorkflow({ ...its, modelConfigurationId: aModelConfiguration().id }),
    create: store.create.bind(store),
    change: (organization, id, idempotency) =>
      store.update(organization, id, { updatedAt }, under(idempotency)),
    unchanged: notFound,
    list: (organization) => store.list(organization, {}, page),
  }),
  TRAJECTORY: async ({ trajectories: store, put }, its) => {
    const { id: workflowId } = await put.workflow(its);
    return {
      store,
      make: () => aTrajectory({ ...its, workflowId }),
      refusedBeside: () => aTrajectory(its),
      create: store.create.bind(store),
      change: (organization, id, idempotency) => store.update(organization, id, { updatedAt }, idempotency),
      unchanged: undefined,
      list: (organization) => store.list(organization, {}, page, { withData: false }),
    };
  },
  ATTACHMENT: async ({ attachments: store, put }, its) => {
    const { id: runId } = await put.run(its);
    return {
      store,
      make: () => anAttachment({ ...its, runId }),
      refusedBeside: () => anAttachment(its),
      create: store.create.bind(store),
      change: (organization, id, idempotency) =>
        store.setExpiry(organization, id, { expiresAt: null, updatedAt }, idempotency),
      unchanged: undefined,
      list: (organization) => store.list(organization, {}, page, 0),
    };
  },
  RUN: async ({ runs: store, put }, its) => {
    const { id: workflowId } = await put.workflow(its);
    return {
      store,
      make: () => aRun({ ...its, workflowId }),
      refusedBeside: () => aRun(its),
      create: (run: ReturnType<typeof aRun>, idempotency) =>
        store.create(newRuns([run]), idempotency && { idempotency, result: run }),
      change: (organization, id, idempotency) =>
        store.update(organization, id, { error: ["x"] }, under(idempotency)),
      unchanged: notFound,
      list: (organization) => store.list(organization, {}, page),
      whenDeleted: { status: "cancelled", endedAt: deletedAt },
    };
  },
};

/** The behaviour that all stores of deletable entities share. */
export function entityStoreSuite(create: CreateTableStores): void {
  describe.each(Object.entries(kinds))("the store of each %s", (name, kindOf) => {
    const setUp = async () => {
      const organization = anOrganization();
      const stores = create();
      const kind = await kindOf(stores, { organizationId: organization });
      const entity = kind.make();
      const { id } = entity;
      return {
        kind,
        organization,
        records: stores.idempotencyRecords,
        entity,
        id,
        find: () => kind.store.find(organization, id),
        markDeleted: (idempotency?: Idempotency) =>
          kind.store.markDeleted(organization, id, deletedAt, idempotency),
        repeatOf: (idempotency: Idempotency) => anIdempotency(organization, { id: idempotency.id }),
      };
    };

    it("finds nothing in another organization, whatever its name looks like", async () => {
      const { kind, organization, entity, id, find } = await setUp();
      expect(await kind.create(entity)).toEqual({ kind: "created" });
      for (const other of ["org_other", `${organization}#${name}#${id}`, "%", "#"].map(organizationIdOf)) {
        expect(await kind.store.find(other, id)).toBeUndefined();
        expect(await kind.change(other, id)).toEqual(kind.unchanged);
        expect(await kind.store.markDeleted(other, id, deletedAt)).toBe(false);
      }
      expect(await find()).toEqual(entity);
    });

    it("hides what is deleted at once, and keeps it until it is removed", async () => {
      const { kind, organization, entity, id, find, markDeleted } = await setUp();
      await kind.create(entity);
      const findDeleted = () => kind.store.findDeleted(organization, id);
      expect(await findDeleted()).toBeUndefined();
      await kind.store.remove(organization, id);
      expect(await find()).toEqual(entity);
      expect([await markDeleted(), await markDeleted()]).toEqual([true, false]);
      expect(await find()).toBeUndefined();
      expect(await kind.change(organization, id)).toEqual(kind.unchanged);
      expect(await kind.list(organization)).toEqual({ items: [], total: 0 });
      expect(await findDeleted()).toEqual({ ...entity, ...kind.whenDeleted, deletedAt, revision: 2 });
      for (const _time of [1, 2]) await kind.store.remove(organization, id);
      expect(await findDeleted()).toBeUndefined();
    });

    it("leaves the total right after creations and deletions at once", async () => {
      const { kind, organization } = await setUp();
      const all = Array.from({ length: 20 }, kind.make);
      await Promise.all(all.map((each) => kind.create(each)));
      await Promise.all([
        ...all
          .slice(0, 8)
          .flatMap(({ id }) => [0, 1].map(() => kind.store.markDeleted(organization, id, deletedAt))),
        kind.create(kind.make()),
      ]);
      expect((await kind.list(organization)).total).toBe(13);
    });

    it("puts a creation on record as the answer, exactly when it is done, before all that is in its way", async () => {
      const { kind, organization, records, entity, repeatOf } = await setUp();
      const idempotency = anIdempotency(organization);
      await kind.create(entity, idempotency);
      const done = { kind: "done", bodyMac: idempotency.bodyMac, result: entity };
      expect(await records.find(idempotency)).toEqual(done);
      for (const other of [kind.make(), kind.refusedBeside(entity)]) {
        const error = await kind.create(other, repeatOf(idempotency)).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(AlreadyOnRecord);
        expect(error).toMatchObject({ record: done });
        expect(await kind.store.find(organization, other.id)).toBeUndefined();
      }
      const refused = anIdempotency(organization);
      expect((await kind.create(kind.refusedBeside(entity), refused)).kind).not.toBe("created");
      expect(await records.find(refused)).toBeUndefined();
    });

    it("commits a leased record for its owner only", async () => {
      const { kind, organization, records, entity, find } = await setUp();
      const leased = await records.lease(anIdempotency(organization));
      const stranger = { ...leased, owner: randomUUID() };
      await expect(kind.create(entity, stranger)).rejects.toThrow(AlreadyOnRecord);
      expect(await find()).toBeUndefined();
      expect(await kind.create(entity, leased)).toEqual({ kind: "created" });
      expect(await records.find(leased)).toMatchObject({ kind: "done", result: entity });
      await expect(kind.create(kind.make(), leased)).rejects.toThrow(AlreadyOnRecord);
    });

    it("records what a change has made and a deletion, and answers a repeat with it whatever has become of it", async () => {
      const { kind, organization, records, entity, id, find, markDeleted, repeatOf } = await setUp();
      await kind.create(entity);
      const [changing, deleting, late] = [1, 2, 3].map(() => anIdempotency(organization));
      if (!changing || !deleting || !late) throw new Error("there are three");
      await kind.change(organization, id, changing);
      const changed = await find();
      expect(changed).toMatchObject({ revision: 2 });
      expect(await records.find(changing)).toMatchObject({ kind: "done", result: changed });
      const again = () => kind.change(organization, id, repeatOf(changing));
      await expect(again()).rejects.toThrow(AlreadyOnRecord);
      expect(await find()).toEqual(changed);
      expect(await markDeleted(deleting)).toBe(true);
      await expect(again()).rejects.toThrow(AlreadyOnRecord);
      await expect(markDeleted(repeatOf(deleting))).rejects.toMatchObject({
        record: { kind: "done", result: null },
      });
      expect(await kind.change(organization, id, late)).toEqual(kind.unchanged);
      expect(await records.find(late)).toBeUndefined();
    });
  });
}
