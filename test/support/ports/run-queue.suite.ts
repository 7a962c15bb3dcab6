import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { QueueEntry } from "../../../shared/domain/matching/queue-entry.ts";
import { placementOf, type Target, targetOfRun } from "../../../shared/domain/matching/target.ts";
import type { Run, Session } from "../../../shared/domain/run/run.ts";
import { aMachine, aRun } from "../builders/entities.ts";
import { newRuns, type RunStores } from "./run-store.suite.ts";

export interface RunQueues extends RunStores {
  queueOf(organizationId: string, target: Target): Promise<readonly QueueEntry[]>;
  /** Sets of pools that somebody who serves a machine would look at. */
  knownPoolSets(organizationId: string): Promise<readonly (readonly string[])[]>;
  putMachine(machine: Machine): Promise<void>;
  findMachine(organizationId: string, machineId: string): Promise<Machine | undefined>;
  /** As a machine's idempotency record of a pending session's first run leaves it. */
  putSession(session: Session): Promise<void>;
  isChainStopped(organizationId: string, sessionId: string, chainId: string): Promise<boolean>;
}

export function aSession(fields: Partial<Session> & Pick<Session, "organizationId">): Session {
  const createdAt = "2026-01-15T11:00:00.000Z";
  return {
    id: v7(),
    status: "pending",
    machineId: null,
    poolIds: [],
    createdAt,
    usedAt: createdAt,
    ...fields,
  };
}

const endedAt = "2026-01-15T13:00:00.000Z";

/** Where runs wait, from their creation to their end, and what their end does around them. */
export function runQueueSuite(create: () => Promise<RunQueues> | RunQueues): void {
  const setUp = async (fields: Partial<Run> = {}) => {
    const stores = await create();
    const run = aRun(fields);
    const { organizationId } = run;
    await stores.putRequired("workflow", organizationId, run.workflowId);
    if (run.machineId !== null) await stores.putRequired("machine", organizationId, run.machineId);
    for (const id of run.poolIds) await stores.putRequired("pool", organizationId, id);
    const waiting = async (target: Target) =>
      (await stores.queueOf(organizationId, target)).map(({ waiting: who }) =>
        who.kind === "run" ? who.runId : who.sessionId,
      );
    return { ...stores, run, organizationId, waiting };
  };

  /** A run that runs on a machine, in a session that has the machine. */
  const setUpRunning = async (fields: Partial<Run> = {}) => {
    const sessionId = v7();
    const machineId = v7();
    const run = aRun({ sessionId, machineId, status: "running", assignmentId: v7(), ...fields });
    const { organizationId } = run;
    const stores = await create();
    const machine = aMachine({
      ...{ id: machineId, organizationId, currentRunId: run.id },
      reservedSessionId: run.sessionId,
    });
    const session = aSession({ organizationId, id: sessionId, status: "active", machineId });
    await stores.putMachine(machine);
    await stores.putSession(session);
    await stores.putRun(run);
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
      const found = await stores.findMachine(organizationId, machineId);
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
      const [entry] = await queueOf(organizationId, { kind: "any" });
      expect(entry).toMatchObject({
        ...{ organizationId, target: { kind: "any" }, queuedAtMs: Date.parse(run.queuedAt) },
        waiting: { kind: "run", runId: run.id, chainId },
      });
    });

    it("makes its set of pools known, whatever their order", async () => {
      const pools = [v7(), v7()];
      const { runs, run, organizationId, knownPoolSets, waiting } = await setUp({ poolIds: pools });
      const reversed = { ...run, id: v7(), poolIds: [...pools].reverse() };
      await runs.create(newRuns([run]));
      await runs.create(newRuns([reversed]));
      expect(await knownPoolSets(organizationId)).toEqual([[...pools].sort()]);
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

    it("is in the session alone once that has a machine, and nowhere once it has ended", async () => {
      const { runs, run, organizationId, waiting, putSession } = await setUp();
      const session = aSession({ organizationId, status: "active" });
      await putSession(session);
      const inSession = { ...run, sessionId: session.id };
      expect(await runs.create(newRuns([inSession]))).toEqual({ kind: "created" });
      expect(await waiting({ kind: "any" })).toEqual([]);
      expect(await waiting({ kind: "session", sessionId: session.id })).toEqual([run.id]);
      await putSession({ ...session, status: "ended" });
      const refused = await runs.create(newRuns([{ ...inSession, id: v7() }]));
      expect(refused).toEqual({ kind: "session_ended", id: session.id });
    });

    it("is there for each of 40 runs of as many workflows, none of which may be missing", async () => {
      const { runs, run, organizationId, waiting, putRequired } = await setUp();
      const session = aSession({ organizationId });
      const steps = Array.from({ length: 40 }, () => ({
        ...{ ...run, id: v7(), workflowId: v7(), sessionId: session.id },
      }));
      for (const { workflowId } of steps.slice(1)) await putRequired("workflow", organizationId, workflowId);
      const missing = steps[0]?.workflowId ?? "";
      const news = newRuns(steps, { session });
      expect(await runs.create(news)).toEqual({ kind: "missing", what: "workflow", id: missing });
      await putRequired("workflow", organizationId, missing);
      expect(await runs.create(news)).toEqual({ kind: "created" });
      expect(await waiting({ kind: "session", sessionId: session.id })).toHaveLength(40);
    });
  });

  describe("the end of a run", () => {
    it("frees its machine, in whichever way it ends", async () => {
      for (const status of ["success", "error", "task_failed", "cancelled"] as const) {
        const { end, left, machineId, organizationId, findMachine } = await setUpRunning({
          sessionId: null,
        });
        await end(status);
        expect((await left()).current).toBeNull();
        expect((await findMachine(organizationId, machineId))?.revision).toBe(2);
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
      const { end, left, putSession, session } = await setUpRunning();
      await putSession({ ...session, status: "ended" });
      await end("success");
      expect(await left()).toMatchObject({ current: null, reserved: null, session: "ended" });
    });

    it("leaves a reservation that is another session's, and a machine that has another run", async () => {
      const { end, left, putMachine, machine } = await setUpRunning({ releaseSessionAfter: true });
      await putMachine({ ...machine, reservedSessionId: "another" });
      await end("success");
      expect(await left()).toMatchObject({ current: null, reserved: "another", session: "ended" });
      const busy = await setUpRunning({ releaseSessionAfter: true });
      await busy.putMachine({ ...busy.machine, currentRunId: "another" });
      await busy.end("success");
      expect(await busy.left()).toMatchObject({ current: "another", session: "ended" });
    });

    it("comes about though its machine is gone", async () => {
      const { end, runs, run, organizationId } = await setUpRunning({ machineId: v7() });
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
        const isStopped = await kept.isChainStopped(kept.organizationId, kept.sessionId, chain.chainId);
        expect(isStopped).toBe(status === "error");
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
