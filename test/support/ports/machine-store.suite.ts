import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aMachine, anIdempotency } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function machineStoreSuite(create: CreateTableStores): void {
  describe("a machine store", () => {
    const setUp = async () => {
      const stores = create();
      const machine = aMachine({
        name: "front desk",
        parameters: { deep: { "": [null, 1.5, "ä", { a: -0.25 }] } },
        sensitiveAliases: ["password"],
        secretName: "das/test/a-secret",
      });
      return { ...stores, machine, organization: machine.organizationId };
    };

    it("finds a machine as it was created", async () => {
      const { machines, machine, organization } = await setUp();
      expect(await machines.create(machine)).toEqual({ kind: "created" });
      expect(await machines.find(organization, machine.id)).toEqual(machine);
      expect(await machines.findByFingerprint(organization, machine.fingerprint)).toEqual(machine);
    });

    it("finds many in the order asked for, and leaves out what is not there, deleted or another's", async () => {
      const { machines, machine, organization } = await setUp();
      const [second, deleted] = [1, 2].map(() => aMachine({ organizationId: organization }));
      const elsewhere = aMachine();
      if (!second || !deleted) throw new Error("two were made");
      for (const each of [machine, second, deleted, elsewhere]) await machines.create(each);
      await machines.markDeleted(organization, deleted.id, deleted.createdAt);
      const ids = [second.id, elsewhere.id, deleted.id, randomUUID(), machine.id];
      expect(await machines.findMany(organization, ids)).toEqual([second, machine]);
      expect(await machines.findMany(organization, [])).toEqual([]);
    });

    it("makes the pending secret the machine's own, when it is that one", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create({ ...machine, secretDigest: "old", pendingSecretDigest: "new" });
      const digests = async () => {
        const now = await machines.find(organization, machine.id);
        return [now?.secretDigest, now?.pendingSecretDigest];
      };
      await machines.proveSecret(organization, machine.id, "other");
      expect(await digests()).toEqual(["old", "new"]);
      for (const _ of [1, 2]) await machines.proveSecret(organization, machine.id, "new");
      expect(await digests()).toEqual(["new", null]);
      await machines.update(organization, machine.id, { secretDigest: null, pendingSecretDigest: null });
      expect(await digests()).toEqual([null, null]);
    });

    it("makes a fingerprint once in an organization, and names who has it", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      const second = aMachine({ organizationId: organization, fingerprint: machine.fingerprint });
      expect(await machines.create(second)).toEqual({ kind: "fingerprint_taken", machineId: machine.id });
      expect(await machines.find(organization, second.id)).toBeUndefined();
      expect((await machines.list(organization, {}, { skip: 0, limit: 10 })).total).toBe(1);
      const elsewhere = aMachine({ fingerprint: machine.fingerprint });
      expect(await machines.create(elsewhere)).toEqual({ kind: "created" });
    });

    it("frees a deleted machine's fingerprint, and leaves its new machine alone when the old one is removed", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      await machines.markDeleted(organization, machine.id, machine.createdAt);
      expect(await machines.findByFingerprint(organization, machine.fingerprint)).toBeUndefined();
      const next = aMachine({ organizationId: organization, fingerprint: machine.fingerprint });
      expect(await machines.create(next)).toEqual({ kind: "created" });
      await machines.remove(organization, machine.id);
      expect(await machines.findByFingerprint(organization, machine.fingerprint)).toEqual(next);
    });

    it("makes one of two with the same fingerprint at once", async () => {
      const { machines, machine, organization } = await setUp();
      const second = aMachine({ organizationId: organization, fingerprint: machine.fingerprint });
      const outcomes = await Promise.all([machines.create(machine), machines.create(second)]);
      expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(["created", "fingerprint_taken"]);
    });

    it("changes the fields given, leaves the others, and counts the revision up", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      const change = { name: "back office", isAvailable: false, parameters: {}, secretName: null };
      const changed = { ...machine, ...change, revision: 2 };
      expect(await machines.update(organization, machine.id, change)).toEqual({
        kind: "updated",
        machine: changed,
      });
      expect(await machines.find(organization, machine.id)).toEqual(changed);
    });

    it("changes nothing of a machine that is no longer at the revision given", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      await machines.update(organization, machine.id, { hostname: "a" });
      const late = await machines.update(organization, machine.id, { hostname: "b" }, { revision: 1 });
      expect(late).toEqual({ kind: "changed" });
      const timely = await machines.update(organization, machine.id, { hostname: "b" }, { revision: 2 });
      expect(timely).toMatchObject({ kind: "updated", machine: { hostname: "b", revision: 3 } });
    });

    it("gives a reservation to a free machine or the same session, to no other until it is cleared", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      const [one, other] = [randomUUID(), randomUUID()];
      const reserve = (id: string | null) =>
        machines.update(organization, machine.id, { reservedSessionId: id, lastSeen: machine.lastSeen });
      expect(await reserve(one)).toMatchObject({ kind: "updated", machine: { reservedSessionId: one } });
      expect(await reserve(one)).toMatchObject({ kind: "updated" });
      expect(await reserve(other)).toEqual({ kind: "reserved" });
      expect(await reserve(null)).toMatchObject({ kind: "updated", machine: { reservedSessionId: null } });
      expect(await reserve(other)).toMatchObject({ kind: "updated", machine: { reservedSessionId: other } });
    });
  });

  describe("a machine store's writes under an idempotency record", () => {
    const setUp = async () => {
      const stores = create();
      const machine = aMachine();
      return { ...stores, machine, organization: machine.organizationId };
    };

    it("make one machine when the same request comes twice at once", async () => {
      const { machines, machine, organization } = await setUp();
      const idempotency = anIdempotency(organization);
      const outcomes = await Promise.allSettled([
        machines.create(machine, idempotency),
        machines.create(
          { ...aMachine(), organizationId: organization },
          anIdempotency(organization, { id: idempotency.id }),
        ),
      ]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await machines.list(organization, {}, { skip: 0, limit: 10 })).total).toBe(1);
    });

    it("do every one of ten updates at once", async () => {
      const { machines, machine, organization } = await setUp();
      await machines.create(machine);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          machines.update(
            organization,
            machine.id,
            { name: `n${index}` },
            { idempotency: anIdempotency(organization) },
          ),
        ),
      );
      expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["updated"]));
      expect(await machines.find(organization, machine.id)).toMatchObject({ revision: 11 });
    });

    it("record nothing for an update that is refused", async () => {
      const { machines, idempotencyRecords, machine, organization } = await setUp();
      const idempotency = anIdempotency(organization);
      const missing = await machines.update(organization, machine.id, { name: "x" }, { idempotency });
      expect(missing).toEqual({ kind: "not_found" });
      await machines.create(machine);
      await machines.update(organization, machine.id, { reservedSessionId: randomUUID() });
      const change = { reservedSessionId: randomUUID() };
      expect(await machines.update(organization, machine.id, change, { idempotency })).toEqual({
        kind: "reserved",
      });
      const stale = await machines.update(
        organization,
        machine.id,
        { name: "x" },
        { idempotency, revision: 1 },
      );
      expect(stale).toEqual({ kind: "changed" });
      expect(await idempotencyRecords.find(idempotency)).toBeUndefined();
    });

    it("take a machine that was just read, and notice that it has changed since", async () => {
      const { machines, idempotencyRecords, machine, organization } = await setUp();
      await machines.create(machine);
      const before = { ...machine, revision: 1 };
      const [first, second] = [anIdempotency(organization), anIdempotency(organization)];
      const options = { before, revision: 1 };
      const timely = await machines.update(
        organization,
        machine.id,
        { name: "a" },
        { ...options, idempotency: first },
      );
      expect(timely).toMatchObject({ kind: "updated", machine: { name: "a", revision: 2 } });
      expect(await machines.find(organization, machine.id)).toMatchObject({ name: "a", revision: 2 });
      const late = await machines.update(
        organization,
        machine.id,
        { name: "b" },
        { ...options, idempotency: second },
      );
      expect(late).toEqual({ kind: "changed" });
      expect(await idempotencyRecords.find(second)).toBeUndefined();
    });
  });
}
