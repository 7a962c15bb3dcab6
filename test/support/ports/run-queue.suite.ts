import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../shared/domain/run/run.ts";
import { placementOf, type Target, targetOfRun } from "../../../shared/domain/run/waiting/target.ts";
import { anOrganization, aRun, aSession } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { newRuns } from "./run-store.suite.ts";

const endedAt = "2026-01-15T13:00:00.000Z";

export function runQueueSuite(create: CreateTableStores): void {
  const setUp = async (fields: Partial<Run> = {}) => {
    const stores = create();
    const { organizationId, id: workflowId } = await stores.put.workflow();
    const run = aRun({ organizationId, workflowId, ...fields });
    if (run.machineId !== null) await stores.put.machine({ organizationId, id: run.machineId });
    for (const id of run.poolIds) await stores.put.pool({ organizationId, id });
    const queueOf = (target: Target) => stores.waiting.oldest(organizationId, target, 100);
    const waiting = async (target: Target) =>
      (await queueOf(target)).map(({ waiting: who }) => (who.kind === "run" ? who.runId : who.sessionId));
    return { ...stores, run, organizationId, queueOf, waiting, store: stores.waiting };
  };

  const setUpRunning = async (fields: Partial<Run> = {}) => {
    const stores = create();
    const session = await stores.put.session({ organizationId: anOrganization(), status: "active" });
    const { organizationId, id: sessionId } = session;
    const its = { organizationId, sessionId, machineId: session.machineId };
    const run = await stores.put.run({ ...its, status: "running", ...fields });
    const machineId = run.machineId ?? "";
    const machine = await stores.machines.find(organizationId, machineId);
    const end = async (
      status: "success" | "error" | "task_failed" | "cancelled",
      change = {},
      told = endedAt,
    ) => {
      const options = { assignmentId: run.assignmentId ?? "" };
      const ended = { ...change, status, endedAt: told };
      const outcome = await stores.runs.update(organizationId, run.id, ended, options);
      expect(outcome.kind).toBe("updated");
    };
    const left = async () => {
      const found = await stores.machines.find(organizationId, machineId);
      const itsSession = await stores.runs.findSession(organizationId, sessionId);
      return {
        current: found?.currentRunId,
        reserved: found?.reservedSessionId,
        session: itsSession?.status,
        usedAt: itsSession?.usedAt,
      };
    };
    return { ...stores, run, organizationId, machine, machineId, session, sessionId, end, left };
  };

  describe("a run's place in a queue", () => {
    it("is before all that have no priority, then by age", async () => {
      const at = (seconds: number) => new Date(1e12 + seconds * 1_000).toISOString();
      for (const each of [{}, { machineId: v7() }, { poolIds: [v7(), v7()] }]) {
        const { put, run, organizationId, waiting } = await setUp({ ...each, queuedAt: at(0) });
        const queue = (seconds: number, isPriority: boolean) =>
          put.run(aRun({ ...run, id: v7(), organizationId, queuedAt: at(seconds), isPriority }));
        const first = await put.run(run);
        const urgent = await queue(2, true);
        const second = await queue(1, false);
        const older = await queue(1, true);
        const order = [older, urgent, first, second].map(({ id }) => id);
        expect(await waiting(targetOfRun(run))).toEqual(order);
      }
    });

    it("is that of its target, from its creation to its end", async () => {
      const fields: readonly Partial<Run>[] = [{}, { machineId: v7() }, { poolIds: [v7(), v7()] }];
      for (const each of fields) {
        const { runs, run, organizationId, waiting } = await setUp(each);
        await runs.create(newRuns([run]));
        expect(await waiting(targetOfRun(run))).toEqual([run.id]);
        await runs.update(organizationId, run.id, { inputValues: { a: 1 } });
        expect(await waiting(targetOfRun(run))).toEqual([run.id]);
        await runs.update(organizationId, run.id, { status: "cancelled" });
        expect(await waiting(targetOfRun(run))).toEqual([]);
      }
    });

    it("goes with a run that is deleted while it waits", async () => {
      const { runs, run, organizationId, waiting } = await setUp();
      await runs.create(newRuns([run]));
      expect(await runs.markDeleted(organizationId, run.id, endedAt)).toBe(true);
      expect(await waiting({ kind: "any" })).toEqual([]);
    });

    it("comes again, behind those that waited longer, when the run is done again", async () => {
      const { runs, run, organizationId, waiting } = await setUp();
      const second = { ...run, id: v7() };
      await runs.create(newRuns([run, second]));
      await runs.update(organizationId, run.id, { status: "cancelled" });
      const before = await runs.find(organizationId, run.id);
      if (before === undefined) throw new Error("it is there");
      const queuedAt = new Date(Date.parse(run.queuedAt) + 5_000).toISOString();
      const again: Run = { ...before, status: "scheduling", queuedAt, endedAt: null, revision: 3 };
      expect(await runs.restart({ before, run: again, attachments: [] })).toMatchObject({
        kind: "restarted",
      });
      expect(await waiting({ kind: "any" })).toEqual([second.id, run.id]);
      await runs.update(organizationId, run.id, { status: "error" });
      expect(await waiting({ kind: "any" })).toEqual([second.id]);
    });

    it("tells the age of the run and its chain", async () => {
      const chainId = v7();
      const { runs, run, organizationId, queueOf } = await setUp({ chainId });
      await runs.create(newRuns([run]));
      const [entry] = await queueOf({ kind: "any" });
      expect(entry).toMatchObject({
        organizationId,
        target: { kind: "any" },
        queuedAtMs: Date.parse(run.queuedAt),
        waiting: { kind: "run", runId: run.id, chainId },
      });
    });

    it("makes its set of pools known, whatever their order", async () => {
      const pools = [v7(), v7()];
      const { runs, run, organizationId, waiting, store } = await setUp({ poolIds: pools });
      const reversed = { ...run, id: v7(), poolIds: [...pools].reverse() };
      await runs.create(newRuns([run]));
      await runs.create(newRuns([reversed]));
      const [pool = ""] = pools;
      expect(await store.poolSetsWith(organizationId, pool)).toEqual([[...pools].sort()]);
      expect((await waiting(targetOfRun(run))).sort()).toEqual([run.id, reversed.id].sort());
    });

    it("is in the session, which waits in the queue of what it was asked for", async () => {
      const { runs, run, organizationId, waiting } = await setUp({ poolIds: [v7()] });
      const session = aSession({ organizationId, poolIds: run.poolIds });
      const inSession = { ...run, sessionId: session.id };
      await runs.create(newRuns([inSession], { session }));
      expect(await waiting(placementOf(session))).toEqual([session.id]);
      expect(await waiting({ kind: "session", sessionId: session.id })).toEqual([run.id]);
      const queuedAt = new Date(Date.parse(run.queuedAt) + 1).toISOString();
      const later = { ...inSession, id: v7(), queuedAt };
      expect(await runs.create(newRuns([later]))).toEqual({ kind: "created" });
      expect(await waiting(placementOf(session))).toEqual([session.id]);
      expect(await waiting({ kind: "session", sessionId: session.id })).toEqual([run.id, later.id]);
      expect((await runs.findSession(organizationId, session.id))?.usedAt).not.toBe(session.usedAt);
    });

    it("moves its pending session in front once one with priority is in it, and for good", async () => {
      const { runs, run, organizationId, waiting, queueOf } = await setUp();
      const session = aSession({ organizationId });
      const at = (ms: number) => new Date(Date.parse(run.queuedAt) + ms).toISOString();
      const old = { ...run, id: v7(), queuedAt: at(-86_400_000_000) };
      const inSession = { ...run, sessionId: session.id };
      await runs.create(newRuns([old]));
      await runs.create(newRuns([inSession], { session: { ...session, createdAt: run.queuedAt } }));
      expect(await waiting({ kind: "any" })).toEqual([old.id, session.id]);
      const urgent = { ...inSession, id: v7(), queuedAt: at(1), isPriority: true };
      for (const next of [urgent, { ...inSession, id: v7(), queuedAt: at(2) }]) {
        expect(await runs.create(newRuns([next]))).toEqual({ kind: "created" });
        expect(await waiting({ kind: "any" })).toEqual([session.id, old.id]);
      }
      const [first, second] = await queueOf({ kind: "session", sessionId: session.id });
      expect([first?.waiting, second?.waiting]).toMatchObject([{ runId: urgent.id }, { runId: run.id }]);
    });

    it("is in the session alone once that has a machine, and nowhere once it has ended", async () => {
      const { runs, run, organizationId, waiting, put, sessions } = await setUp();
      const session = await put.session({ organizationId, status: "active" });
      const inSession = { ...run, sessionId: session.id };
      expect(await runs.create(newRuns([inSession]))).toEqual({ kind: "created" });
      expect(await waiting({ kind: "any" })).toEqual([]);
      expect(await waiting({ kind: "session", sessionId: session.id })).toEqual([run.id]);
      await sessions.end(organizationId, session.id, endedAt);
      const refused = await runs.create(newRuns([{ ...inSession, id: v7() }]));
      expect(refused).toEqual({ kind: "session_ended", id: session.id });
    });

    it("is there for each of 40 runs of as many workflows, none of which may be missing", async () => {
      const { runs, run, organizationId, waiting, put } = await setUp();
      const session = aSession({ organizationId });
      const steps = Array.from({ length: 40 }, () => ({
        ...run,
        id: v7(),
        workflowId: v7(),
        sessionId: session.id,
      }));
      for (const { workflowId: id } of steps.slice(1)) await put.workflow({ organizationId, id });
      const missing = steps[0]?.workflowId ?? "";
      const news = newRuns(steps, { session });
      expect(await runs.create(news)).toEqual({ kind: "missing", what: "workflow", id: missing });
      await put.workflow({ organizationId, id: missing });
      expect(await runs.create(news)).toEqual({ kind: "created" });
      expect(await waiting({ kind: "session", sessionId: session.id })).toHaveLength(40);
    });
  });

  describe("the end of a run", () => {
    it("frees its machine, in whichever way it ends", async () => {
      for (const status of ["success", "error", "task_failed", "cancelled"] as const) {
        const alone = { sessionId: null, machineId: v7() };
        const { end, left, machine, machines, machineId, organizationId } = await setUpRunning(alone);
        await end(status);
        expect((await left()).current).toBeNull();
        const revision = (machine?.revision ?? 0) + 1;
        expect(await machines.find(organizationId, machineId)).toMatchObject({ revision });
      }
    });

    it("leaves the session open and in use from then on, whenever its worker says that it ended", async () => {
      const { end, left, sessionId, session } = await setUpRunning();
      await end("error");
      const { usedAt = "", ...others } = await left();
      expect(others).toEqual({ current: null, reserved: sessionId, session: "active" });
      expect(usedAt > session.usedAt).toBe(true);
      for (const told of ["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
        const other = await setUpRunning();
        await other.end("success", {}, told);
        expect((await other.left()).usedAt?.slice(0, 4)).toBe(usedAt.slice(0, 4));
      }
    });

    it("ends the session and its reservation when the run was to release it, as late as its last change", async () => {
      const { end, left } = await setUpRunning();
      await end("success", { releaseSessionAfter: true });
      expect(await left()).toMatchObject({ current: null, reserved: null, session: "ended" });
    });

    it("ends the reservation with it when the session has ended meanwhile", async () => {
      const { end, left, sessions, organizationId, sessionId } = await setUpRunning();
      await sessions.end(organizationId, sessionId, endedAt);
      await end("success");
      expect(await left()).toMatchObject({ current: null, reserved: null, session: "ended" });
    });

    it("leaves a reservation that is another session's", async () => {
      const running = await setUpRunning({ releaseSessionAfter: true });
      const { end, left, machines, organizationId, machineId } = running;
      for (const reservedSessionId of [null, "another"]) {
        await machines.update(organizationId, machineId, { reservedSessionId });
      }
      await end("success");
      expect(await left()).toMatchObject({ current: null, reserved: "another", session: "ended" });
    });

    it("comes about though its machine is gone", async () => {
      const { end, runs, run, machines, machineId, organizationId } = await setUpRunning();
      await machines.markDeleted(organizationId, machineId, endedAt);
      await machines.remove(organizationId, machineId);
      await end("error");
      expect(await runs.find(organizationId, run.id)).toMatchObject({ status: "error" });
    });

    it("ends a chain's session unless the step may fail, and stops the chain in a session that is kept", async () => {
      const chain = { chainId: v7(), chainStep: 0 };
      const failed = await setUpRunning(chain);
      await failed.end("task_failed");
      expect(await failed.left()).toMatchObject({ session: "ended", reserved: null });
      const tolerated = await setUpRunning({ ...chain, continueOnFailure: true });
      await tolerated.end("task_failed");
      expect(await tolerated.left()).toMatchObject({ session: "active" });
      for (const status of ["success", "error"] as const) {
        const kept = await setUpRunning({ ...chain, chainKeepsSession: true });
        await kept.end(status);
        expect(await kept.left()).toMatchObject({ session: "active", reserved: kept.sessionId });
        const next = kept.put.run({ ...kept.run, id: v7() });
        await (status === "error" ? expect(next).rejects.toThrow(/chain_stopped/) : next);
      }
    });

    it("by deletion is like any other", async () => {
      const { runs, run, organizationId, left } = await setUpRunning({ releaseSessionAfter: true });
      expect(await runs.markDeleted(organizationId, run.id, endedAt)).toBe(true);
      expect(await left()).toMatchObject({ current: null, reserved: null, session: "ended" });
      expect(await runs.findDeleted(organizationId, run.id)).toMatchObject({ status: "cancelled" });
    });
  });
}
