import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Assignment, Candidate, QueuedRun } from "../../../shared/domain/matching/match-store.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { isRunEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import { targetOfRun } from "../../../shared/domain/run/waiting/target.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import {
  executionsKey,
  machineKey,
  runKey,
  sessionKey,
  stoppedChainKey,
} from "../../../shared/storage/table/keys.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { type MatchWorld, matchWorld } from "../matching/match-world.ts";

export function matchStoreSuite(tableAt: (clock: FakeClock) => DynamoTable): void {
  const begin = async (organizationExecutionsMax?: number, serviceExecutionsMax?: number) => {
    const clock = new FakeClock();
    return await matchWorld(tableAt(clock), clock, organizationExecutionsMax, serviceExecutionsMax).begin();
  };

  const entryOf = async ({ matches, organizationId }: MatchWorld, run: Run): Promise<QueuedRun> => {
    const queue = await matches.queue(organizationId, targetOfRun(run), 100);
    const found = queue.filter(isRunEntry).find(({ waiting }) => waiting.runId === run.id);
    if (found === undefined) throw new Error("the run is not queued");
    return found;
  };

  const assignment = async (
    world: MatchWorld,
    machine: Machine,
    run: Run,
    session?: Assignment["session"],
  ): Promise<Assignment> => ({
    machine,
    run,
    session,
    assignmentId: randomUUID(),
    entry: await entryOf(world, run),
    inputValues: { city: "Bern" },
    inheritedSecrets: { pin: { kind: "machine", id: machine.id } },
    inheritedNames: ["site"],
    startedAt: isoTimestamp(world.clock.now()),
  });

  const change = async (world: MatchWorld, machine: Machine, set: Record<string, unknown>) => {
    const key = machineKey(world.organizationId, machine.id);
    await world.write({ kind: "update", key, change: { set, add: { revision: 1 } } });
  };

  describe("what waits", () => {
    it("is told oldest first, beside the machine or the session that it waits for", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const session = await world.putSession({ status: "active", machineId: machine.id });
      const [older, newer] = [
        await world.queueRun({ namedMachineId: machine.id }),
        await world.queueRun({ namedMachineId: machine.id }),
      ];
      const inSession = await world.queueRun({}, session);
      const own = await world.matches.machineQueue(world.organizationId, machine.id, 12);
      expect(own.machine).toEqual(machine);
      expect(own.entries.map(({ waiting }) => waiting)).toMatchObject([
        { runId: older.id, workflowId: world.workflow.id },
        { runId: newer.id },
      ]);
      expect((await world.matches.machineQueue(world.organizationId, machine.id, 1)).entries).toHaveLength(1);
      const ofSession = await world.matches.sessionQueue(world.organizationId, session.id, 12);
      expect(ofSession.session).toEqual(session);
      expect(ofSession.entries.map(({ waiting }) => waiting)).toMatchObject([{ runId: inSession.id }]);
      expect(await world.matches.machineQueue(world.organizationId, randomUUID(), 12)).toEqual({
        machine: undefined,
        entries: [],
      });
    });

    it("is read on behind an entry", async () => {
      const world = await begin();
      const runs = [await world.queueRun(), await world.queueRun(), await world.queueRun()];
      const any = { kind: "any" } as const;
      const [first] = await world.matches.queue(world.organizationId, any, 1);
      const rest = await world.matches.queue(world.organizationId, any, 10, first);
      expect(rest.filter(isRunEntry).map(({ waiting }) => waiting.runId)).toEqual(
        runs.slice(1).map(({ id }) => id),
      );
    });

    it("is one for a set of pools, in whatever order it is given", async () => {
      const world = await begin();
      const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
      await world.queueRun({ poolIds: [b, a] });
      await world.queueRun({ poolIds: [c] });
      const sets = (await world.matches.poolSets(world.organizationId)).map((set) => set.poolIds);
      expect(new Set(sets)).toEqual(new Set([[a, b].sort(), [c]]));
      const target = { kind: "pools", poolIds: [a, b].sort() } as const;
      expect(await world.matches.queue(world.organizationId, target, 10)).toHaveLength(1);
    });
  });

  describe("a set of pools that nothing waits for", () => {
    it("is forgotten, unless something was queued since it was read", async () => {
      const world = await begin();
      const pool = randomUUID();
      await world.queueRun({ poolIds: [pool] });
      const read = async () => await world.matches.poolSets(world.organizationId);
      const [before] = await read();
      await world.queueRun({ poolIds: [pool] });
      const [after] = await read();
      if (before === undefined || after === undefined) throw new Error("the set is not known");
      await world.matches.removeEmptySet(world.organizationId, before);
      expect(await read()).toEqual([after]);
      await world.matches.removeEmptySet(world.organizationId, after);
      expect(await read()).toEqual([]);
    });
  });

  describe("the place of a session", () => {
    it("goes when nothing waits in it, unless a run has joined since it was read", async () => {
      const world = await begin();
      const session = await world.putSession();
      await world.queueRun({}, session);
      const any = async () => await world.matches.queue(world.organizationId, { kind: "any" }, 10);
      const [before] = await any();
      await world.queueRun({}, session);
      if (before === undefined) throw new Error("the session has no place");
      await world.matches.removeEmptyPlace(before);
      const [after, ...others] = await any();
      expect(others).toEqual([]);
      if (after === undefined) throw new Error("the session has lost its place");
      await world.matches.removeEmptyPlace(after);
      expect(await any()).toEqual([]);
    });
  });

  describe("idle machines", () => {
    it("are noted as long as they are free, in their pools and in the organization", async () => {
      const world = await begin();
      const machine = await world.putMachine({ poolIds: ["a", "b"] });
      const row = { organizationId: world.organizationId, machineId: machine.id, poolIds: ["a", "b"] };
      expect(await world.matches.markIdle(machine)).toBe(true);
      expect(await world.matches.markIdle(machine)).toBe(true);
      for (const pool of [undefined, "a", "b"]) expect(await world.idle(pool)).toEqual([row]);
      expect(await world.idle("c")).toEqual([]);
      expect(await world.matches.unmarkIdle(machine)).toBe(false);
      await world.putMachine({ ...machine, isAvailable: false });
      expect(await world.matches.unmarkIdle(machine)).toBe(true);
      for (const pool of [undefined, "a", "b"]) expect(await world.idle(pool)).toEqual([]);
      expect(await world.matches.markIdle(machine)).toBe(false);
      expect(await world.idle()).toEqual([]);
      expect(await world.matches.unmarkIdle({ ...machine, id: randomUUID(), poolIds: [] })).toBe(true);
    });

    it("are not noted in pools that they have left or not yet joined", async () => {
      const world = await begin();
      const machine = await world.putMachine({ poolIds: ["a", "b"] });
      await world.matches.markIdle(machine);
      await world.matches.unmarkLeftPool(world.organizationId, machine.id, "a");
      expect(await world.idle("a")).toHaveLength(1);
      await world.putMachine({ ...machine, poolIds: ["b", "c"] });
      expect(await world.matches.markIdle(machine)).toBe(false);
      await world.matches.unmarkLeftPool(world.organizationId, machine.id, "a");
      expect(await world.idle("a")).toEqual([]);
      expect(await world.idle("b")).toHaveLength(1);
    });

    it("are found page by page", async () => {
      const world = await begin();
      const machines = await Promise.all(
        Array.from({ length: 40 }, () => world.putMachine({ poolIds: ["a"] })),
      );
      for (const machine of machines) await world.matches.markIdle(machine);
      const ids = machines.map(({ id }) => id).sort();
      for (const pool of [undefined, "a"])
        expect((await world.idle(pool)).map(({ machineId }) => machineId)).toEqual(ids);
    });
  });

  describe("a candidate", () => {
    it("is read with all that decides about it; what is deleted counts as missing", async () => {
      const world = await begin();
      const { organizationId } = world;
      const [pool, other] = [await world.putPool(), await world.putPool()];
      const step = await world.queueRun();
      const run = await world.queueRun({
        poolIds: [other.id, pool.id, randomUUID()],
        chainId: randomUUID(),
        chainRunIds: { a: step.id },
        inputValues: { from: { $ref: "a.outputs" } },
      });
      const [entry, machine] = [await entryOf(world, run), await world.putMachine()];
      const expected: Candidate = {
        run,
        machine,
        workflow: world.workflow,
        pools: [other, pool],
        credentials: [],
        earlier: new Map([[step.id, step]]),
      };
      expect(await world.matches.candidate(entry, machine.id)).toEqual(expected);
      expect(await world.matches.candidate(entry)).toEqual({ ...expected, machine: undefined });
      await world.write({
        kind: "update",
        key: runKey(organizationId, run.id),
        change: { set: { deleted_at: isoTimestamp(world.clock.now()) } },
      });
      expect(await world.matches.candidate(entry, machine.id)).toBeUndefined();
    });

    it("is read anew where its references have changed since it was queued", async () => {
      const world = await begin();
      const step = await world.queueRun();
      const run = await world.queueRun({ chainId: randomUUID(), chainRunIds: { a: step.id } });
      const entry = await entryOf(world, run);
      const inputValues = { from: { $ref: "a.outputs" } };
      await world.runs.update(world.organizationId, run.id, { inputValues });
      expect((await world.matches.candidate(entry, randomUUID()))?.earlier).toEqual(
        new Map([[step.id, step]]),
      );
    });
  });

  describe("an assignment", () => {
    it("gives the machine the run, takes the run out of its queue and the machine out of the idle ones", async () => {
      const world = await begin();
      const [machine, run] = [await world.putMachine({ poolIds: ["p"] }), await world.queueRun()];
      const { organizationId } = world;
      await world.matches.markIdle(machine);
      const given = await assignment(world, machine, run);
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      expect(await world.machine(machine)).toEqual({ ...machine, currentRunId: run.id, revision: 2 });
      expect(await world.run(run.id)).toEqual({
        ...run,
        status: "running",
        machineId: machine.id,
        assignmentId: given.assignmentId,
        startedAt: given.startedAt,
        inputValues: given.inputValues,
        revision: 2,
        inheritedSecrets: given.inheritedSecrets,
        inheritedNames: given.inheritedNames,
      });
      for (const pool of [undefined, "p"]) expect(await world.idle(pool)).toEqual([]);
      expect(await world.matches.queue(organizationId, { kind: "any" }, 1)).toEqual([]);
      const page = { skip: 0, limit: 10 };
      const ofMachine = await world.runs.list(organizationId, { machineId: machine.id }, page);
      expect(ofMachine.items.map(({ id }) => id)).toEqual([run.id]);
      const scheduling = await world.runs.list(organizationId, { status: "scheduling" }, page);
      expect(scheduling.items).toEqual([]);
    });

    it.each<[string, Partial<Machine>]>([
      ["is disconnected", { connection: null }],
      ["is out of service", { outOfService: true }],
      ["is switched off", { isAvailable: false }],
      ["has a run", { currentRunId: "r" }],
      ["is being cleared", { clearingSince: "2026-01-15T12:00:00.000Z" }],
      ["is kept for a session", { reservedSessionId: "s" }],
      ["has left a pool", { poolIds: [] }],
    ])("is refused when the machine %s since it was read", async (_, since) => {
      const world = await begin();
      const seen = await world.putMachine({ poolIds: ["p"] });
      const run = await world.queueRun();
      const given = await assignment(world, seen, run);
      await world.putMachine({ ...seen, ...since });
      expect(await world.matches.assign(given)).toEqual({ kind: "machine_gone" });
      expect(await world.run(run.id)).toEqual(run);
      expect(await world.matches.queue(world.organizationId, { kind: "any" }, 10)).toHaveLength(1);
    });

    it("is refused when the machine was deleted, however it was seen", async () => {
      const world = await begin();
      const [machine, run] = [await world.putMachine(), await world.queueRun()];
      const given = await assignment(world, machine, run);
      await change(world, machine, { deleted_at: isoTimestamp(world.clock.now()) });
      expect(await world.matches.assign(given)).toEqual({ kind: "machine_gone" });
    });

    it("is not in the way of a driver's ping", async () => {
      const world = await begin();
      const [machine, run] = [await world.putMachine(), await world.queueRun()];
      const given = await assignment(world, machine, run);
      await change(world, machine, { last_seen: isoTimestamp(world.clock.now()) });
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      expect((await world.machine(machine)).revision).toBe(3);
    });

    it("is refused when the run has been taken, and told apart from one that was changed", async () => {
      const world = await begin();
      const [one, other, run] = [await world.putMachine(), await world.putMachine(), await world.queueRun()];
      const [first, second] = [await assignment(world, one, run), await assignment(world, other, run)];
      expect(await world.matches.assign(first)).toEqual({ kind: "assigned" });
      expect(await world.matches.assign(second)).toEqual({ kind: "run_gone", isTaken: true });
      const changed = await world.queueRun();
      const third = await assignment(world, other, changed);
      await world.runs.update(world.organizationId, changed.id, { inputValues: { city: "Biel" } });
      expect(await world.matches.assign(third)).toEqual({ kind: "changed" });
      expect((await world.machine(other)).currentRunId).toBeNull();
    });

    it("starts a session: the machine is kept for it, and its place is gone", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const session = await world.putSession();
      const run = await world.queueRun({}, session);
      world.clock.advance(1_000);
      const place = world.place(session);
      const given = await assignment(world, machine, run, { session, place });
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      expect(await world.machine(machine)).toMatchObject({
        currentRunId: run.id,
        reservedSessionId: session.id,
      });
      const active: Session = {
        ...session,
        status: "active",
        machineId: machine.id,
        usedAt: given.startedAt,
      };
      expect(await world.session(session)).toEqual(active);
      expect(await world.matches.queue(world.organizationId, { kind: "any" }, 10)).toEqual([]);
    });

    it.each<[string, Partial<Session>]>([
      ["has ended", { status: "ended" }],
      ["has found another machine", { status: "active", machineId: "other" }],
    ])("is refused when the session %s since", async (_, since) => {
      const world = await begin();
      const machine = await world.putMachine();
      const session = await world.putSession();
      const run = await world.queueRun({}, session);
      const given = await assignment(world, machine, run, { session, place: world.place(session) });
      await world.putSession({ ...session, ...since });
      expect(await world.matches.assign(given)).toEqual({ kind: "session_gone" });
      expect((await world.machine(machine)).reservedSessionId).toBeNull();
    });

    it("goes on with a session that has the machine", async () => {
      const world = await begin();
      const { machine, session } = await world.putReserved();
      const run = await world.queueRun({}, session);
      const given = await assignment(world, machine, run, { session, place: undefined });
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      expect(await world.machine(machine)).toMatchObject({ reservedSessionId: session.id });
    });

    it("is refused for a step of a chain that was stopped, until the mark is gone", async () => {
      const world = await begin();
      const { organizationId } = world;
      const { machine, session } = await world.putReserved();
      const chainId = randomUUID();
      const run = await world.queueRun({ chainId }, session);
      const given = await assignment(world, machine, run, { session, place: undefined });
      const key = stoppedChainKey(organizationId, session.id, chainId);
      await world.write({ kind: "put", item: { ...key, kind: "stopped_chain" } });
      expect(await world.matches.assign(given)).toEqual({ kind: "chain_stopped" });
      await world.matches.removeStoppedChain(organizationId, session.id, chainId);
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
    });

    it("is refused to the service's runs while it carries out as many as it may, of that organization", async () => {
      const world = await begin(2);
      const executor = "service";
      const running = [await world.queueRun({ executor }), await world.queueRun({ executor })];
      for (const run of running) {
        const given = await assignment(world, await world.putMachine(), run);
        expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      }
      const machine = await world.putMachine();
      const [run, worker] = [await world.queueRun({ executor }), await world.queueRun()];
      const given = await assignment(world, machine, run);
      expect(await world.matches.assign(given)).toEqual({ kind: "organization_full" });
      expect(await world.run(run.id)).toMatchObject({ status: "scheduling" });
      expect(await world.matches.noteRefused(world.organizationId, [machine.id])).toBe(true);
      const workers = await assignment(world, await world.putMachine(), worker);
      expect(await world.matches.assign(workers)).toEqual({ kind: "assigned" });
      await world.finish(worker.id);
      expect(await world.matches.assign(given)).toEqual({ kind: "organization_full" });
      await world.finish(running[0]?.id ?? "");
      expect(await world.matches.noteRefused(world.organizationId, [machine.id])).toBe(false);
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      expect(await world.matches.noteRefused(world.organizationId, [machine.id])).toBe(true);
    });

    it("counts none for the end of a run that was not counted, and none twice", async () => {
      const world = await begin(1);
      const executor = "service";
      const current = await world.putMachine();
      const uncounted = await world.queueRun({ executor });
      await world.matches.assign(await assignment(world, current, uncounted));
      await world.write({ kind: "delete", key: executionsKey(world.organizationId) });
      const run = await world.queueRun({ executor });
      const given = await assignment(world, await world.putMachine(), run);
      expect(await world.matches.assign(given)).toEqual({ kind: "assigned" });
      await world.finish(uncounted.id);
      expect(await world.matches.noteRefused(world.organizationId, ["idle"])).toBe(true);
      await world.finish(run.id);
      await world.runs.markDeleted(world.organizationId, run.id, isoTimestamp(world.clock.now()));
      expect(await world.matches.noteRefused(world.organizationId, ["idle"])).toBe(false);
      expect(await world.table.get(executionsKey(world.organizationId))).not.toHaveProperty("running");
    });

    it("moves the moment from which a session counts as idle", async () => {
      const world = await begin();
      const { machine, session } = await world.putReserved();
      const run = await world.queueRun({}, session);
      world.clock.advance(60_000);
      const given = await assignment(world, machine, run, { session, place: undefined });
      await world.matches.assign(given);
      const item = await world.table.get(sessionKey(world.organizationId, session.id));
      expect(item?.used_at).toBe(given.startedAt);
    });
  });

  describe("a reservation", () => {
    it("is released only of the session named, and only while no run is under way", async () => {
      const world = await begin();
      const { organizationId } = world;
      const machine = await world.putMachine({ reservedSessionId: "s", currentRunId: "r" });
      await world.matches.releaseReservation(organizationId, machine.id, "s");
      expect((await world.machine(machine)).reservedSessionId).toBe("s");
      await world.putMachine({ ...machine, currentRunId: null });
      await world.matches.releaseReservation(organizationId, machine.id, "another");
      expect((await world.machine(machine)).reservedSessionId).toBe("s");
      await world.matches.releaseReservation(organizationId, machine.id, "s");
      expect(await world.machine(machine)).toMatchObject({ reservedSessionId: null, revision: 2 });
      await world.matches.releaseReservation(organizationId, randomUUID(), "s");
    });
  });

  describe("the places of all organizations' executions", () => {
    /** The rows are those of the whole table, so one test has all of it. */
    it("are as many as the limit, are kept for the line, and are given in turn", async () => {
      const world = await begin(50, 2);
      const { matches, servicePlaces, organizationId } = world;
      if (servicePlaces === undefined) throw new Error("there is no limit");
      const assign = async (isTurn?: boolean) => {
        const run = await world.queueRun({ executor: "service" });
        const given = await assignment(world, await world.putMachine(), run);
        return { run, kind: (await matches.assign(given, isTurn)).kind };
      };
      const [one, other] = [await assign(), await assign()];
      expect([one.kind, other.kind, (await assign()).kind]).toEqual(["assigned", "assigned", "service_full"]);
      expect(await servicePlaces.count()).toEqual({ underWay: 2, max: 2 });

      await servicePlaces.join(organizationId, ["idle", "m"]);
      world.clock.advance(1);
      await servicePlaces.join(organizationIdOf("other"), ["idle"]);
      await world.finish(one.run.id);
      expect([(await assign()).kind, await servicePlaces.keep()]).toEqual(["service_full", 1]);
      const [first, second] = await servicePlaces.line();
      expect([first?.organizationId, second?.organizationId]).toEqual([organizationId, "other"]);
      if (first === undefined || second === undefined) throw new Error("nobody is in the line");

      const turn = await servicePlaces.beginTurn(first);
      expect(await servicePlaces.beginTurn(first)).toBeUndefined();
      expect([...(turn?.refused ?? [])].sort()).toEqual(["idle", "m"]);
      expect([(await assign(true)).kind, (await assign(true)).kind]).toEqual(["assigned", "service_full"]);
      if (turn !== undefined) await servicePlaces.endTurn(turn, { refused: ["idle"], idleAfter: null });
      expect(await servicePlaces.line()).toMatchObject([
        { organizationId: "other", refused: ["idle"] },
        { organizationId, refused: ["idle"] },
      ]);

      const refusedMeanwhile = await servicePlaces.beginTurn(second);
      await servicePlaces.join(organizationIdOf("other"), ["n"]);
      if (refusedMeanwhile) await servicePlaces.endTurn(refusedMeanwhile, { refused: [], idleAfter: null });
      expect(await servicePlaces.line()).toHaveLength(2);
      for (const each of await servicePlaces.line()) {
        const last = await servicePlaces.beginTurn(each);
        if (last) await servicePlaces.endTurn(last, { refused: [], idleAfter: null });
      }
      expect(await servicePlaces.line()).toEqual([]);
      expect([await servicePlaces.release(), await servicePlaces.release()]).toEqual([true, false]);
      await world.finish(other.run.id);
      expect((await assign()).kind).toBe("assigned");
    });

    it("cost an assignment no call", async () => {
      const callsOf = async (serviceExecutionsMax?: number) => {
        const world = await begin(50, serviceExecutionsMax);
        const run = await world.queueRun({ executor: "service" });
        const given = await assignment(world, await world.putMachine(), run);
        const calls: string[] = [];
        const counted = new Proxy(world.table, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== "function") return value;
            return async (...args: unknown[]) => {
              calls.push(String(name));
              return await Reflect.apply(value, target, args);
            };
          },
        });
        const { matches } = matchWorld(counted, world.clock, 50, serviceExecutionsMax);
        expect(await matches.assign(given)).toEqual({ kind: "assigned" });
        return calls;
      };
      expect(await callsOf(1_000)).toEqual(await callsOf());
    });
  });
}
