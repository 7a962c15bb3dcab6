import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Reservation } from "../../../shared/domain/machine/machine-store.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { aSession } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const since = "2026-01-15T12:30:00.000Z";
const cleared = { reservedSessionId: null, isAvailable: true, clearingSince: null } as const;

export function machineReservationSuite(create: CreateTableStores): void {
  const setUp = async (fields: Partial<Machine> = {}) => {
    const stores = create();
    const machine = await stores.put.machine(fields);
    const { id, organizationId } = machine;
    const reserve = (reservation: Reservation) =>
      stores.machines.update(
        organizationId,
        id,
        { reservedSessionId: reservation.session.id },
        { reservation },
      );
    const find = () => stores.machines.find(organizationId, id);
    return { ...stores, machine, id, organizationId, reserve, find };
  };

  describe("a reservation", () => {
    it("makes a session that is not there yet", async () => {
      const { reserve, find, sessions, organizationId, id } = await setUp();
      const session = aSession({ organizationId, status: "active", machineId: id });
      const outcome = await reserve({ session, isNew: true });
      expect(outcome).toMatchObject({ kind: "updated", machine: { reservedSessionId: session.id } });
      expect(await sessions.find(organizationId, session.id)).toEqual(session);
      expect(await find()).toMatchObject({ reservedSessionId: session.id, revision: 2 });
      expect(await reserve({ session, isNew: true })).toEqual({ kind: "session_changed" });
    });

    it("gives a session that waits its machine, unless that lacks its pools", async () => {
      const poolId = v7();
      for (const [poolIds, kind] of [
        [[poolId, v7()], "updated"],
        [[], "session_elsewhere"],
      ] as const) {
        const { reserve, sessions, put, organizationId, id } = await setUp({ poolIds });
        const session = await put.session({ organizationId, poolIds: [poolId] });
        expect((await reserve({ session, isNew: false })).kind).toBe(kind);
        const status = kind === "updated" ? { status: "active", machineId: id } : { status: "pending" };
        expect(await sessions.find(organizationId, session.id)).toMatchObject(status);
      }
    });

    it("is refused when the session is not as it was read, or the machine another's or being cleared", async () => {
      const { reserve, find, machine, put, organizationId } = await setUp();
      const ended = await put.session({ organizationId, status: "ended" });
      const before = { ...ended, status: "pending" } as const;
      expect(await reserve({ session: before, isNew: false })).toEqual({ kind: "session_changed" });
      expect(await find()).toEqual(machine);
      for (const [fields, kind] of [
        [{ reservedSessionId: v7() }, "reserved"],
        [{ clearingSince: since }, "changed"],
      ] as const) {
        const taken = await setUp(fields);
        const mine = aSession({
          organizationId: taken.organizationId,
          status: "active",
          machineId: taken.id,
        });
        expect(await taken.reserve({ session: mine, isNew: true })).toEqual({ kind });
      }
    });
  });

  describe("the clearing of a reservation", () => {
    it("begins with the end of the session, and can begin again", async () => {
      const sessionId = v7();
      const { machines, sessions, id, organizationId, find } = await setUp({ reservedSessionId: sessionId });
      const later = "2026-01-15T12:40:00.000Z";
      for (const moment of [since, later]) {
        const begun = await machines.beginClearing(organizationId, id, moment);
        expect(begun).toEqual(await find());
        expect(begun).toMatchObject({ clearingSince: moment, reservedSessionId: sessionId });
        expect(await sessions.find(organizationId, sessionId)).toMatchObject({ status: "ended" });
      }
      expect(await machines.beginClearing(organizationIdOf("org_other"), id, since)).toBeUndefined();
    });

    it("needs no session, nor any that is known", async () => {
      for (const reservedSessionId of [null, v7()]) {
        const { machines, id, organizationId } = await setUp();
        await machines.update(organizationId, id, { reservedSessionId });
        const begun = await machines.beginClearing(organizationId, id, since);
        expect(begun).toMatchObject({ clearingSince: since, reservedSessionId });
      }
    });

    it("is due until it has come to its end", async () => {
      const { machines, id, organizationId, find } = await setUp();
      const due = async () => (await machines.listClearingDue(1_000)).map((machine) => machine.id);
      expect(await due()).not.toContain(id);
      await machines.beginClearing(organizationId, id, since);
      expect(await due()).toContain(id);
      const outcome = await machines.update(organizationId, id, cleared, { clearingSince: since });
      expect(outcome).toMatchObject({ kind: "updated", machine: { clearingSince: null, isAvailable: true } });
      expect(await due()).not.toContain(id);
      expect(outcome).toEqual({ kind: "updated", machine: await find() });
    });

    it("ends when the machine has no run, and only where it began", async () => {
      for (const fields of [
        { clearingSince: null },
        { clearingSince: "2026-01-15T12:40:00.000Z" },
        { clearingSince: since, currentRunId: v7() },
      ]) {
        const { machines, machine, id, organizationId } = await setUp(fields);
        const refused = await machines.update(organizationId, id, cleared, { clearingSince: since });
        expect(refused).toEqual({ kind: "not_cleared", machine });
      }
    });
  });
}
