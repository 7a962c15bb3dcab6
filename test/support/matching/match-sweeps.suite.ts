import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { isPassing } from "../../../shared/aws/aws-failure.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { firstCursor } from "../../../shared/domain/execution/engine/begin-execution.ts";
import { jobPayload } from "../../../shared/domain/execution/engine/start-execution.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { checkExecutions } from "../../../shared/domain/maintenance/check-executions.ts";
import { endIdleSessions } from "../../../shared/domain/maintenance/matching/end-idle-sessions.ts";
import { endRunsOfVanished } from "../../../shared/domain/maintenance/matching/end-runs-of-vanished.ts";
import { finishDueClearings } from "../../../shared/domain/maintenance/matching/finish-due-clearings.ts";
import { repairIdleMachines } from "../../../shared/domain/maintenance/matching/repair-idle-machines.ts";
import { repairWaitingRuns } from "../../../shared/domain/maintenance/matching/repair-waiting-runs.ts";
import { entryOfRun, entryOfSession } from "../../../shared/domain/matching/queue-places.ts";
import { dequeueWrite, entryKey } from "../../../shared/storage/queue/queue-rows.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { stoppedChainKey } from "../../../shared/storage/table/keys.ts";
import { aConnection } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { RecordedCallbacks } from "../fakes/recorded-callbacks.ts";
import { tableStores } from "../stores/table-stores.ts";
import { matchWorld } from "./match-world.ts";

const minuteMs = 60_000;

export function matchSweepsSuite(table: () => { at(clock: FakeClock): DynamoTable }): void {
  async function setUp() {
    const clock = new FakeClock();
    const dynamo = table().at(clock);
    const world = await matchWorld(dynamo, clock).begin();
    const adapters = tableStores({ table: dynamo, clock });
    const { connections, matchSweep } = adapters;
    const times = { vanishedGraceMs: 2 * minuteMs, sessionIdleMs: 60 * minuteMs };
    const stores = { ...world.deps, ...adapters, ...times };
    return {
      ...world,
      dynamo,
      stores,
      matchSweep,
      connect: async (machine?: Machine) => {
        const found = machine ?? (await world.putMachine({ connection: null }));
        const connection = aConnection(found);
        await connections.open(connection);
        await connections.activate(connection, {}, clock.now());
        return { machine: found, disconnect: async () => await connections.close(connection, clock.now()) };
      },
      isQueued: async (key: ReturnType<typeof entryKey>) => (await dynamo.get(key)) !== undefined,
      sweepWaiting: async () => await repairWaitingRuns(stores),
      sweepMachines: async () => await repairIdleMachines(stores),
      sweepVanished: async () => await endRunsOfVanished(stores),
      sweepSessions: async () => await endIdleSessions(stores),
      sweepClearings: async () => await finishDueClearings(stores),
      sweepExecutions: async () => {
        const deps = { ...stores, finder: world.durable, callbacks: new RecordedCallbacks(), isPassing };
        return (await checkExecutions(deps, Number.POSITIVE_INFINITY)).found;
      },
      assign: async () => {
        const machine = await world.putMachine();
        await world.match(world.changed(machine));
        const run = await world.queueRun({ executor: "service" });
        await world.match(world.queued(run));
        const { organizationId, id: runId, assignmentId } = await world.run(run.id);
        if (assignmentId === null) throw new Error("the run was given no machine");
        return { machine, job: { organizationId, runId, assignmentId, part: 1 } };
      },
    };
  }

  describe("an execution", () => {
    it("that nobody could start is started after a minute, again until it begins", async () => {
      const { assign, clock, durable, sweepExecutions, stores } = await setUp();
      durable.isAway = true;
      const { job } = await assign();
      expect(await sweepExecutions()).toBe(0);
      clock.advance(minuteMs);
      expect(await sweepExecutions()).toBe(0);
      durable.isAway = false;
      expect(await sweepExecutions()).toBe(0);
      clock.advance(minuteMs);
      expect(await sweepExecutions()).toBe(1);
      expect(durable.started).toEqual([{ name: job.assignmentId, payload: jobPayload(job), state: "open" }]);
      await stores.executions.begin(job, "arn");
      clock.advance(minuteMs);
      expect(await stores.executions.listDue(clock.now(), 10)).toEqual([]);
    });

    it("that was handed on to a part which nobody started is that part's", async () => {
      const { assign, clock, durable, sweepExecutions, stores } = await setUp();
      const { job } = await assign();
      await stores.executions.begin(job, "arn");
      const cursor = { ...firstCursor(100), element: 9, replayed: 9 };
      expect(await stores.executions.handOver(job, "arn", cursor)).toBe(true);
      durable.close(job.assignmentId);
      clock.advance(minuteMs);
      expect(await sweepExecutions()).toBe(1);
      expect(durable.started.map(({ name, state }) => [name, state])).toEqual([
        [job.assignmentId, "closed"],
        [`${job.assignmentId}-2`, "open"],
      ]);
    });

    it("that is over while its run is not ends it, which frees the machine", async () => {
      const { assign, clock, durable, sweepExecutions, stores, run, machine } = await setUp();
      const { job, machine: its } = await assign();
      await stores.executions.begin(job, "arn");
      clock.advance(5 * minuteMs);
      expect(await sweepExecutions()).toBe(0);
      durable.close(job.assignmentId);
      expect(await sweepExecutions()).toBe(0);
      clock.advance(5 * minuteMs);
      expect(await sweepExecutions()).toBe(1);
      expect(await run(job.runId)).toMatchObject({ status: "error", errorCode: "executor_failed" });
      expect((await machine(its)).currentRunId).toBeNull();
      clock.advance(60 * minuteMs);
      expect(await sweepExecutions()).toBe(0);
    });
  });

  describe("runs that wait", () => {
    it("find a machine that became idle unheard of, after two minutes", async () => {
      const { queueRun, putMachine, match, changed, clock, sweepWaiting, run } = await setUp();
      await match(changed(await putMachine()));
      const { id } = await queueRun();
      expect(await sweepWaiting()).toBe(0);
      expect((await run(id)).status).toBe("scheduling");
      clock.advance(2 * minuteMs + 1);
      expect(await sweepWaiting()).toBe(1);
      expect((await run(id)).status).toBe("running");
      expect(await sweepWaiting()).toBe(0);
    });

    it.each(["any", "machine", "pools", "session"] as const)(
      "have their place put again, for a target of the kind %s",
      async (kind) => {
        const { queueRun, putMachine, putPool, putSession, write, clock, sweepWaiting, isQueued } =
          await setUp();
        const session = kind === "session" ? await putSession() : undefined;
        const fields = {
          any: {},
          session: {},
          machine: { namedMachineId: (await putMachine({ connection: null })).id },
          pools: { poolIds: [(await putPool()).id] },
        }[kind];
        const waiting = await queueRun(fields, session);
        const places = [entryOfRun(waiting), ...(session ? [entryOfSession(session)] : [])];
        await write(...places.map(dequeueWrite));
        clock.advance(2 * minuteMs + 1);
        expect(await sweepWaiting()).toBe(places.length);
        for (const place of places) expect(await isQueued(entryKey(place))).toBe(true);
        expect(await sweepWaiting()).toBe(0);
      },
    );

    it("are not queued again once they have ended or been done again", async () => {
      const { queueRun, runs, organizationId, write, clock, matchSweep, isQueued } = await setUp();
      const waiting = await queueRun();
      clock.advance(2 * minuteMs + 1);
      const page = await matchSweep.waitingRuns(null, clock.now());
      expect(page.items.map((entry) => entry.waiting.runId)).toContain(waiting.id);
      const end = { status: "cancelled", endedAt: isoTimestamp(clock.now()) } as const;
      await runs.update(organizationId, waiting.id, end);
      await write(dequeueWrite(entryOfRun(waiting)));
      const own = page.items.filter((entry) => entry.waiting.runId === waiting.id);
      expect(await matchSweep.restorePlaces(own)).toBe(0);
      expect(await isQueued(entryKey(entryOfRun(waiting)))).toBe(false);
    });

    it("are gone through page by page", async () => {
      const { queueRun, clock, matchSweep } = await setUp();
      const ids = new Set<string>();
      for (let index = 0; index < 65; index += 1)
        ids.add((await queueRun({ id: randomUUID().replace(/.$/, "3") })).id);
      clock.advance(2 * minuteMs + 1);
      let pages = 0;
      let position: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof matchSweep.waitingRuns>> = await matchSweep.waitingRuns(
          position,
          clock.now(),
        );
        for (const entry of page.items) ids.delete(entry.waiting.runId);
        position = page.position;
        pages += 1;
      } while (position !== null);
      expect([ids.size, pages]).toEqual([0, 3]);
    });
  });

  describe("the fleet", () => {
    it("is its connected machines, its waiting runs, and since when the oldest of them waits", async () => {
      const { connect, queueRun, clock, stores, organizationId } = await setUp();
      const before = await stores.fleet.read();
      await connect();
      await (await connect()).disconnect();
      const oldest = await queueRun();
      clock.advance(minuteMs);
      await queueRun();
      const fleet = await stores.fleet.read();
      expect(fleet.connectedMachines - before.connectedMachines).toBe(1);
      expect((await stores.fleet.countByOrganization()).get(organizationId)).toBe(1);
      expect(fleet.runsWaiting - before.runsWaiting).toBe(2);
      expect(fleet.oldestQueuedAtMs).toBe(before.oldestQueuedAtMs ?? Date.parse(oldest.queuedAt));
    });
  });

  describe("the steps of a chain that stopped", () => {
    it("are cancelled though nobody heard of it, and the session goes on", async () => {
      const { putReserved, queueRun, write, organizationId, clock, sweepWaiting, run, dynamo } =
        await setUp();
      const { machine, session } = await putReserved();
      const chainId = randomUUID();
      const steps = [
        await queueRun({ chainId, chainKeepsSession: true }, session),
        await queueRun({ chainId, chainKeepsSession: true }, session),
      ];
      const other = await queueRun({}, session);
      const key = stoppedChainKey(organizationId, session.id, chainId);
      await write({ kind: "put", item: { ...key, kind: "stopped_chain" } });
      clock.advance(2 * minuteMs + 1);
      await sweepWaiting();
      for (const { id } of steps) expect((await run(id)).status).toBe("cancelled");
      expect((await run(other.id)).machineId).toBe(machine.id);
      expect(await dynamo.get(key)).toBeUndefined();
    });
  });

  describe("machines that have a connection", () => {
    it("are noted as idle when they are and nobody noted it, and their notes go when they are not", async () => {
      const { connect, machines, organizationId, idle, sweepMachines } = await setUp();
      const { machine } = await connect();
      expect(await idle()).toEqual([]);
      await sweepMachines();
      expect((await idle()).map(({ machineId }) => machineId)).toEqual([machine.id]);
      await machines.update(organizationId, machine.id, { isAvailable: false });
      await sweepMachines();
      expect(await idle()).toEqual([]);
    });

    it("are left as they are when they only seemed wrong", async () => {
      const { connect, idle, sweepMachines, clock, stores } = await setUp();
      await connect();
      const stale = await stores.matchSweep.liveMachines(null);
      expect(await sweepMachines()).toBe(1);
      clock.advance(10 * minuteMs);
      const read = vi.spyOn(stores.matchSweep, "liveMachines").mockResolvedValue(stale);
      const match = vi.spyOn(stores.matches, "unmarkIdle");
      expect(await sweepMachines()).toBe(0);
      expect(read).toHaveBeenCalledOnce();
      expect([match.mock.calls, (await idle()).length]).toEqual([[], 1]);
    });

    it("are looked through every ten minutes", async () => {
      const { connect, clock, idle, sweepMachines } = await setUp();
      const { machine } = await connect();
      for (let minute = 1; minute < 10; minute += 1) {
        clock.advance(minuteMs);
        await sweepMachines();
      }
      expect(await idle()).toEqual([]);
      clock.advance(minuteMs);
      await sweepMachines();
      expect((await idle()).map(({ machineId }) => machineId)).toEqual([machine.id]);
    });

    it("are free again when they are kept for a session whose end nobody heard of", async () => {
      const { connect, putSession, machines, organizationId, queueRun, run, sweepMachines, ...world } =
        await setUp();
      const { machine } = await connect();
      const session = await putSession({ status: "ended", machineId: machine.id });
      const { id } = await queueRun();
      await machines.update(organizationId, machine.id, { reservedSessionId: session.id });
      await sweepMachines();
      expect((await world.machine(machine)).reservedSessionId).toBeNull();
      await sweepMachines();
      expect((await run(id)).machineId).toBe(machine.id);
    });

    it("are given the run that waits for them", async () => {
      const { connect, queueRun, run, sweepMachines, machine: find } = await setUp();
      const { machine } = await connect();
      const { id } = await queueRun({ namedMachineId: machine.id });
      await sweepMachines();
      expect((await run(id)).machineId).toBe(machine.id);
      expect((await find(machine)).currentRunId).toBe(id);
    });
  });

  describe("a machine that vanished", () => {
    async function running() {
      const world = await setUp();
      const { machine, disconnect } = await world.connect();
      const waiting = await world.queueRun();
      await world.match(world.changed(machine));
      expect((await world.run(waiting.id)).status).toBe("running");
      return { ...world, driver: machine, disconnect, runId: waiting.id };
    }

    it("loses its run as an error once the grace is over, which frees it", async () => {
      const { driver, disconnect, runId, run, machine, clock, sweepVanished } = await running();
      await disconnect();
      clock.advance(2 * minuteMs - 1);
      expect(await sweepVanished()).toBe(0);
      clock.advance(1);
      expect(await sweepVanished()).toBe(1);
      const ended = await run(runId);
      expect(ended).toMatchObject({ status: "error", errorCode: "machine_unavailable" });
      expect(ended.error).toEqual([expect.stringContaining(driver.id)]);
      expect(ended.error[0]).toMatch(/disconnected since .* longer than 120 s/);
      expect((await machine(driver)).currentRunId).toBeNull();
      expect(await sweepVanished()).toBe(0);
    });

    it("keeps its run when it is back in time, and counts anew when it is lost again", async () => {
      const { driver, disconnect, connect, runId, run, clock, sweepVanished } = await running();
      await disconnect();
      clock.advance(minuteMs);
      const again = await connect(driver);
      clock.advance(5 * minuteMs);
      expect(await sweepVanished()).toBe(0);
      await again.disconnect();
      clock.advance(minuteMs);
      expect(await sweepVanished()).toBe(0);
      expect((await run(runId)).status).toBe("running");
      clock.advance(minuteMs);
      expect(await sweepVanished()).toBe(1);
    });

    it("counts from its last loss, when the sweeper did not see it come back", async () => {
      const { driver, disconnect, connect, runId, run, clock, sweepVanished } = await running();
      await disconnect();
      clock.advance(minuteMs);
      const again = await connect(driver);
      clock.advance(minuteMs);
      await again.disconnect();
      clock.advance(minuteMs);
      expect(await sweepVanished()).toBe(0);
      expect((await run(runId)).status).toBe("running");
      clock.advance(minuteMs);
      expect(await sweepVanished()).toBe(1);
    });

    it("keeps its run when it is back between the sweeper's look and its write", async () => {
      const { driver, disconnect, connect, runId, run, machine, clock, stores } = await running();
      await disconnect();
      clock.advance(2 * minuteMs);
      const seen = await machine(driver);
      await connect(driver);
      const end = { reason: "away", endedAt: isoTimestamp(clock.now()) };
      expect(await stores.vanished.endRun(seen, end)).toBe(false);
      await stores.vanished.settle(seen, true);
      expect((await run(runId)).status).toBe("running");
      expect((await machine(driver)).currentRunId).toBe(runId);
    });

    it("without a run is never due, and whoever meets its idle row removes it", async () => {
      const { connect, idle, sweepMachines, clock, stores, match, queued, queueRun, run } = await setUp();
      const { disconnect } = await connect();
      await sweepMachines();
      await disconnect();
      clock.advance(2 * minuteMs);
      expect(await stores.vanished.listDue(clock.now(), 100)).toEqual([]);
      expect(await idle()).toHaveLength(1);
      const waiting = await queueRun();
      await match(queued(waiting));
      expect(await idle()).toEqual([]);
      expect((await run(waiting.id)).status).toBe("scheduling");
    });

    it("whose run has ended meanwhile is looked at once more, and its note goes", async () => {
      const { disconnect, runId, finish, clock, sweepVanished, stores } = await running();
      await disconnect();
      await finish(runId);
      clock.advance(2 * minuteMs);
      expect(await stores.vanished.listDue(clock.now(), 100)).toHaveLength(1);
      expect(await sweepVanished()).toBe(0);
      expect(await stores.vanished.listDue(clock.now(), 100)).toEqual([]);
    });
  });

  describe("a session that nobody uses", () => {
    it("ends after an hour, whether it has a machine or waits for one", async () => {
      const { putReserved, putSession, session, clock, sweepSessions } = await setUp();
      const { session: active } = await putReserved();
      const pending = await putSession();
      clock.advance(60 * minuteMs - 1);
      await sweepSessions();
      expect((await session(active))?.status).toBe("active");
      clock.advance(1);
      expect(await sweepSessions()).toBeGreaterThanOrEqual(2);
      expect((await session(active))?.status).toBe("ended");
      expect((await session(pending))?.status).toBe("ended");
    });

    it("lives on while a run waits in it", async () => {
      const { putSession, queueRun, session, clock, sweepSessions } = await setUp();
      const pending = await putSession();
      await queueRun({}, pending);
      clock.advance(61 * minuteMs);
      await sweepSessions();
      expect((await session(pending))?.status).toBe("pending");
    });

    it("lives on while a run of it runs, and others behind it have their turn", async () => {
      const { putReserved, putSession, queueRun, match, changed, session, clock, sweepSessions, stores } =
        await setUp();
      const { machine, session: active } = await putReserved();
      await queueRun({}, active);
      await match(changed(machine));
      clock.advance(90 * minuteMs);
      await sweepSessions();
      expect((await session(active))?.status).toBe("active");
      const { id } = await putSession();
      expect((await stores.sessions.listOpenDue(1))[0]?.id).toBe(id);
    });

    it("lives on when it is used between the sweeper's look and its write", async () => {
      const { putReserved, session, clock, stores } = await setUp();
      const { session: active } = await putReserved();
      const stale = { ...active, usedAt: isoTimestamp(clock.now() - 1) };
      await stores.sessions.end(active.organizationId, active.id, isoTimestamp(clock.now()), stale.usedAt);
      await stores.matchSweep.postpone(stale, clock.now() + minuteMs);
      expect((await session(active))?.status).toBe("active");
    });
  });

  describe("a reservation whose clearing was interrupted", () => {
    it("is cleared after a minute", async () => {
      const { putReserved, machines, organizationId, machine: find, clock, sweepClearings } = await setUp();
      const { machine } = await putReserved();
      await machines.beginClearing(organizationId, machine.id, isoTimestamp(clock.now()));
      clock.advance(minuteMs);
      expect(await sweepClearings()).toBe(0);
      clock.advance(1);
      expect(await sweepClearings()).toBe(1);
      expect(await find(machine)).toMatchObject({
        clearingSince: null,
        reservedSessionId: null,
        isAvailable: true,
      });
    });
  });
}
