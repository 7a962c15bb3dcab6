import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { explainWaiting } from "../../../shared/domain/run/waiting/explain-waiting.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { executionAdded } from "../../../shared/storage/execution/executions-under-way.ts";
import { anOrganization, aRun } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function waitingViewSuite(create: CreateTableStores): void {
  function setUp() {
    const stores = create();
    const organizationId = anOrganization();
    return {
      put: stores.put,
      view: stores.waitingView,
      organizationId,
      machine: async (fields: Partial<Machine> = {}) => {
        const connection = { id: v7(), websocketId: v7(), host: "h" };
        return await stores.put.machine({ organizationId, connection, ...fields });
      },
      pool: async (machines: readonly Machine[]) => {
        const pool = await stores.put.pool({ organizationId });
        const ids = machines.map(({ id }) => id);
        for (let start = 0; start < ids.length; start += 40) {
          await stores.memberships.addMachines(organizationId, pool.id, ids.slice(start, start + 40));
        }
        return pool.id;
      },
      session: async (fields: Partial<Session>) =>
        (await stores.put.session({ organizationId, ...fields })).id,
      fill: async () => {
        for (let at = 0; at < 50; at += 1) {
          const { key, change } = executionAdded({ organizationId, id: v7() });
          await stores.table.update(key, change);
        }
      },
      explain: async (fields: Partial<Run> = {}) => {
        const run = await stores.put.run({ organizationId, ...fields });
        return await explainWaiting(stores.waitingView, run);
      },
    };
  }

  const states = [
    ["nothing", {}, null],
    ["a lost connection", { connection: null }, "all_disconnected"],
    ["an error", { outOfService: true }, "out_of_service"],
    ["its user's switch", { isAvailable: false }, "out_of_service"],
    ["a session of others", { reservedSessionId: v7() }, "reserved"],
    ["a session of others that runs", { reservedSessionId: v7(), currentRunId: v7() }, "reserved"],
    ["its reservation being cleared", { clearingSince: "2026-01-01T00:00:00.000Z" }, "reserved"],
    ["another run", { currentRunId: v7() }, "all_busy"],
  ] as const;

  describe("why a run waits", () => {
    it.each(states)("for a machine with %s", async (_what, fields, reason) => {
      const { machine, explain } = setUp();
      const { id } = await machine(fields);
      expect(await explain({ machineId: id, namedMachineId: id })).toEqual({ reason, position: 0 });
    });

    it("for the end of another that the service carries out, once a machine is free", async () => {
      const { machine, explain, fill } = setUp();
      const free = await machine();
      const [waiting, executor] = [{ machineId: free.id, namedMachineId: free.id }, "service"] as const;
      expect(await explain({ ...waiting, executor })).toMatchObject({ reason: null });
      await fill();
      expect(await explain({ ...waiting, executor })).toMatchObject({ reason: "organization_limit" });
      expect(await explain(waiting)).toMatchObject({ reason: null });
      const busy = await machine({ currentRunId: v7() });
      const behind = { machineId: busy.id, namedMachineId: busy.id, executor } as const;
      expect(await explain(behind)).toMatchObject({ reason: "all_busy" });
    });

    it.each(states)("for a pool whose nearest machine has %s", async (_what, fields, reason) => {
      const { machine, pool, explain } = setUp();
      const machines = [await machine({ connection: null }), await machine(fields)];
      expect(await explain({ poolIds: [await pool(machines)] })).toEqual({ reason, position: 0 });
    });

    it.each(states)("for any machine, when the nearest has %s", async (_what, fields, reason) => {
      const { machine, explain } = setUp();
      await machine({ connection: null });
      await machine(fields);
      expect(await explain()).toEqual({ reason, position: 0 });
    });

    it("for a machine that is not there", async () => {
      const { explain } = setUp();
      expect(await explain({ namedMachineId: v7() })).toMatchObject({ reason: "no_machine_matches" });
    });

    it("for any machine where there is none", async () => {
      const { explain } = setUp();
      expect(await explain()).toMatchObject({ reason: "no_machine_matches" });
    });

    it("for pools that no machine is in together, or that are gone", async () => {
      const { machine, pool, explain } = setUp();
      const poolIds = [await pool([await machine()]), await pool([await machine()])];
      expect(await explain({ poolIds })).toMatchObject({ reason: "no_machine_matches" });
      const gone = [...poolIds.slice(0, 1), v7()];
      expect(await explain({ poolIds: gone })).toMatchObject({ reason: "no_machine_matches" });
    });

    it("for pools, as told by the machines that are in all of them", async () => {
      const { machine, pool, explain } = setUp();
      const [free, busy] = [await machine(), await machine({ currentRunId: v7() })];
      const poolIds = [await pool([free, busy]), await pool([busy])];
      expect(await explain({ poolIds })).toMatchObject({ reason: "all_busy" });
    });

    it("says nothing of pools of which too many machines would have to be looked at", async () => {
      const { machine, pool, explain } = setUp();
      const many = await Promise.all(Array.from({ length: 101 }, () => machine()));
      const oldest = many.slice(0, 1);
      const others = await Promise.all(Array.from({ length: 101 }, () => machine({ connection: null })));
      const poolIds = [await pool(many), await pool([...oldest, ...others])];
      expect(await explain({ poolIds })).toMatchObject({ reason: null });
    });

    it.each([
      ["has a run of it", { currentRunId: v7() }, "session_busy"],
      ["is free for it", {}, null],
      ["is away", { connection: null }, "all_disconnected"],
      ["is out of service", { outOfService: true }, "out_of_service"],
    ])("for a session whose machine %s", async (_what, fields, reason) => {
      const { machine, explain } = setUp();
      const sessionId = v7();
      const { id: machineId } = await machine({ ...fields, reservedSessionId: sessionId });
      expect(await explain({ sessionId, machineId })).toMatchObject({ reason });
    });

    it("for a session that has no machine yet, as a run that wants the same", async () => {
      const { machine, pool, session, explain } = setUp();
      const busy = await machine({ currentRunId: v7() });
      const poolId = await pool([await machine({ connection: null })]);
      for (const [wish, reason] of [
        [{ machineId: busy.id }, "all_busy"],
        [{ poolIds: [poolId] }, "all_disconnected"],
        [{}, "all_busy"],
      ] as const) {
        const sessionId = await session(wish);
        expect(await explain({ sessionId })).toMatchObject({ reason });
      }
    });

    it("says nothing where the session is gone or has ended: its runs are about to be cancelled", async () => {
      const { session, explain } = setUp();
      expect(await explain({ sessionId: v7() })).toMatchObject({ reason: null });
      expect(await explain({ sessionId: await session({ status: "ended" }) })).toMatchObject({
        reason: null,
      });
    });

    it("says nothing of a run that does not wait", async () => {
      const { view, organizationId } = setUp();
      for (const status of ["running", "success", "cancelled"] as const) {
        expect(await explainWaiting(view, aRun({ organizationId, status }))).toBeUndefined();
      }
    });
  });

  describe("how many runs are ahead", () => {
    it("counts those before it in its own queue, by age and then by id", async () => {
      const { put, view, organizationId, machine } = setUp();
      const { id: machineId } = await machine();
      const at = (second: number, target: Partial<Run> = {}) =>
        aRun({
          organizationId,
          status: "scheduling",
          queuedAt: new Date(1e12 + second * 1_000).toISOString(),
          ...target,
        });
      const own = at(5);
      const runs = [
        at(1),
        at(2),
        at(5),
        own,
        at(6),
        at(0, { namedMachineId: machineId }),
        at(0, { sessionId: v7() }),
      ];
      for (const run of runs) await put.run(run);
      const older = runs.filter(
        ({ id, queuedAt }) => queuedAt === own.queuedAt && id.slice(13) < own.id.slice(13),
      ).length;
      expect(await explainWaiting(view, own)).toMatchObject({ position: 2 + older });
    });

    it("counts those with priority before all that have none", async () => {
      const { put, view, organizationId } = setUp();
      const queue = async (at: number, isPriority: boolean) =>
        await put.run(aRun({ organizationId, isPriority, queuedAt: new Date(1e12 + at).toISOString() }));
      const [old, first, second] = [await queue(0, false), await queue(1, true), await queue(2, true)];
      const positions = [];
      for (const run of [first, second, old]) positions.push((await explainWaiting(view, run))?.position);
      expect(positions).toEqual([0, 1, 2]);
    });

    it("counts no further than it was asked to", async () => {
      const { put, view, organizationId } = setUp();
      const runs = Array.from({ length: 5 }, (_, second) =>
        aRun({
          organizationId,
          status: "scheduling",
          queuedAt: new Date(1e12 + second * 1_000).toISOString(),
        }),
      );
      for (const run of runs) await put.run(run);
      const place = {
        organizationId,
        target: { kind: "any" },
        isPriority: false,
        queuedAtMs: 1e12 + 60_000,
        runId: v7(),
      } as const;
      expect(await view.ahead(place, 3)).toBe(3);
      expect(await view.ahead(place, 9)).toBe(5);
    });
  });
}
