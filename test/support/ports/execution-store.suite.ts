import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Cursor, ExecutionJob } from "../../../shared/domain/execution/execution.ts";
import type { StepOutcome } from "../../../shared/domain/execution/execution-store.ts";
import { noTrail } from "../../../shared/domain/execution/step/trail.ts";
import type { RunStep } from "../../../shared/domain/run-step/run-step.ts";
import type { StepsPage } from "../../../shared/domain/run-step/step-reader.ts";
import { stepKey } from "../../../shared/storage/table/keys.ts";
import { aMachine, anOrganization, aRun } from "../builders/entities.ts";
import { aStep } from "../builders/steps.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const arn = "arn:aws:lambda:us-east-1:1:function:executor:1/durable-execution/one/1";
const other = `${arn}-other`;
const page: StepsPage = { skip: 0, limit: 100 };
const outcome: StepOutcome = {
  status: "done",
  error: null,
  text: null,
  match: null,
  screenshot: null,
  pictureKey: null,
  durationMs: 7,
  trail: noTrail,
};

export function executionStoreSuite(create: CreateTableStores): void {
  async function setUp() {
    const stores = create();
    const organizationId = anOrganization();
    const machine = aMachine({ organizationId });
    await stores.machines.create(machine);
    const run = await stores.put.run(
      aRun({ organizationId, machineId: machine.id, executor: "service", status: "running" }),
    );
    const job: ExecutionJob = {
      organizationId,
      runId: run.id,
      part: 1,
      assignmentId: run.assignmentId ?? "",
    };
    const step = (index: number, fields: Partial<RunStep> = {}) => aStep(run, { index, ...fields });
    const { executions } = stores;
    return {
      stores,
      executions,
      organizationId,
      run,
      job,
      step,
      list: async (from = page) => {
        const { items, total } = await executions.listSteps(organizationId, run.id, from);
        return [items.map(({ index }) => index), total];
      },
      endRun: async () => {
        const end = { status: "cancelled", endedAt: "2026-01-15T13:00:00.000Z" } as const;
        const { assignmentId } = job;
        await stores.runs.update(organizationId, run.id, end, { assignmentId });
      },
    };
  }

  describe("an execution store", () => {
    it("gives a run to the durable execution that asks first, and to no other", async () => {
      const { executions, job, run } = await setUp();
      expect(await executions.begin(job, arn)).toMatchObject({
        kind: "begun",
        execution: { runId: run.id, machineId: run.machineId, part: 1, arn, planKey: null, cursor: null },
      });
      expect((await executions.begin(job, arn)).kind).toBe("begun");
      expect(await executions.begin(job, other)).toEqual({ kind: "taken", arn });
      expect(await executions.begin({ ...job, assignmentId: v7() }, other)).toEqual({ kind: "ended" });
    });

    it("keeps what the run goes by once it is named", async () => {
      const { executions, job } = await setUp();
      await executions.begin(job, arn);
      expect(await executions.pin(job, "first")).toBe("first");
      expect(await executions.pin(job, "second")).toBe("first");
      expect((await executions.readState(job)).execution).toMatchObject({ planKey: "first", arn });
    });

    it("hands over to the next part once, which begins where the last one was", async () => {
      const { executions, job } = await setUp();
      const cursor: Cursor = {
        index: 101,
        element: 90,
        piece: 0,
        replayed: 90,
        waitedMs: 0,
        awayMs: 0,
        phase: "put_files",
        files: { at: 0, put: 0, taken: 0, end: null },
      };
      await executions.begin(job, arn);
      expect(await executions.handOver(job, other, cursor)).toBe(false);
      expect(await executions.handOver(job, arn, cursor)).toBe(true);
      expect(await executions.handOver(job, arn, cursor)).toBe(true);
      expect((await executions.begin(job, arn)).kind).toBe("taken");
      const next = { ...job, part: 2 };
      expect(await executions.begin(next, other)).toMatchObject({ kind: "begun", execution: { cursor } });
    });

    it("does nothing more for a run that has ended", async () => {
      const { executions, job, step, endRun, list } = await setUp();
      await executions.begin(job, arn);
      await endRun();
      expect(await executions.begin(job, arn)).toEqual({ kind: "ended" });
      expect(await executions.pin(job, "plan")).toBeUndefined();
      expect((await executions.readState(job)).execution).toBeUndefined();
      await executions.countTry({ ...job, index: 1 });
      expect(await executions.recordSending(step(1, { status: "sending" }), arn, 1)).toBe(false);
      expect(await executions.recordStep(step(1))).toBe(false);
      expect(await list()).toEqual([[], 0]);
    });

    it("counts the tries of a step, and shows what was sent for it", async () => {
      const { executions, job, step } = await setUp();
      await executions.begin(job, arn);
      const id = { ...job, index: 1 };
      expect(await executions.countTry(id)).toEqual({ kind: "fresh", tries: 1 });
      expect(await executions.countTry(id)).toEqual({ kind: "fresh", tries: 2 });
      await executions.releaseTry(id);
      expect(await executions.countTry(id)).toEqual({ kind: "fresh", tries: 1 });
      const sending = step(1, { status: "sending" });
      expect(await executions.recordSending(sending, other, 1)).toBe(false);
      expect(await executions.recordSending(sending, arn, 1)).toBe(true);
      expect(await executions.countTry(id)).toEqual({ kind: "recorded", step: sending, tries: 2 });
      await executions.withdraw(id);
      expect(await executions.countTry(id)).toEqual({ kind: "fresh", tries: 1 });
    });

    it("takes the index of a step that an earlier attempt did not come to send", async () => {
      const { executions, job } = await setUp();
      await executions.countTry({ ...job, index: 1, assignmentId: v7() });
      expect(await executions.countTry({ ...job, index: 1 })).toEqual({ kind: "fresh", tries: 1 });
    });

    it("takes a step whose tries were not counted, once, and not one that another invocation has", async () => {
      const { executions, job, step } = await setUp();
      await executions.begin(job, arn);
      await executions.countTry({ ...job, index: 1, assignmentId: v7() });
      const sending = step(1, { status: "sending" });
      expect(await executions.recordSending(sending, arn, 0)).toBe(true);
      const recorded = { kind: "recorded", step: sending, tries: 1 };
      expect(await executions.countTry({ ...job, index: 1 })).toEqual(recorded);
      await expect(executions.recordSending(sending, arn, 0)).rejects.toThrow("another invocation");
      expect(await executions.recordSending(sending, arn, 1)).toBe(true);
    });

    it("keeps a step's outcome with what it has saved, and gives both to whoever goes on", async () => {
      const { executions, job, step } = await setUp();
      await executions.begin(job, arn);
      await executions.countTry({ ...job, index: 1 });
      const sending = step(1, { status: "sending" });
      await executions.recordSending(sending, arn, 1);
      const saved = { name: "order", value: { number: 7 } };
      await executions.recordOutcome({ ...job, index: 1 }, { ...outcome, saved });
      const state = await executions.readState(job);
      expect(state).toMatchObject({ saved: [saved], lastStep: { ...sending, ...outcome } });
      expect(await executions.readState({ ...job, assignmentId: v7() })).toEqual({
        execution: undefined,
        lastStep: undefined,
        saved: [],
      });
    });

    it("finds a step, and the last one that was begun", async () => {
      const { executions, job, step, organizationId, run } = await setUp();
      expect(await executions.findLastStep(organizationId, run.id)).toBeUndefined();
      const second = step(2, { screenshot: { width: 4, height: 3 }, pictureKey: "steps/a" });
      for (const each of [step(1), second]) await executions.recordStep(each);
      await executions.countTry({ ...job, index: 3 });
      expect(await executions.findLastStep(organizationId, run.id)).toEqual(second);
      expect(await executions.findStep(organizationId, run.id, 2)).toEqual(second);
      expect(await executions.findStep(organizationId, run.id, 3)).toBeUndefined();
      expect(await executions.findStep(anOrganization(), run.id, 2)).toBeUndefined();
    });

    it("lists steps oldest first, page by page, with a total that leaves out what was not begun", async () => {
      const { executions, job, step, list } = await setUp();
      for (const index of [1, 2, 3, 4, 5]) await executions.recordStep(step(index));
      await executions.countTry({ ...job, index: 6 });
      expect(await list()).toEqual([[1, 2, 3, 4, 5], 5]);
      expect(await list({ skip: 3, limit: 1 })).toEqual([[4], 5]);
      expect(await list({ skip: 4, limit: 9 })).toEqual([[5], 5]);
      expect(await list({ skip: 5, limit: 9 })).toEqual([[], 5]);
      expect(await list({ skip: 0, limit: 2, after: 3 })).toEqual([[4, 5], 5]);
      expect(await list({ skip: 0, limit: 1, after: 0 })).toEqual([[1], 5]);
      expect(await list({ skip: 0, limit: 2, after: 5 })).toEqual([[], 5]);
      await expect(list({ skip: 0, limit: 2, after: 6 })).rejects.toThrow("query.after");
    });

    it("counts from the oldest step that has not expired", async () => {
      const { stores, executions, step, list, organizationId, run } = await setUp();
      for (const index of [1, 2, 3, 4]) await executions.recordStep(step(index));
      for (const index of [1, 2]) await stores.table.delete(stepKey(organizationId, run.id, index));
      expect(await list({ skip: 0, limit: 1 })).toEqual([[3], 2]);
      expect(await list({ skip: 1, limit: 1 })).toEqual([[4], 2]);
      expect(await list({ skip: 0, limit: 1, after: 1 })).toEqual([[3], 2]);
    });

    it("appends a worker's steps without a gap, however many come at once, while the run is its own", async () => {
      const { stores, executions, organizationId, run, job, step, list, endRun } = await setUp();
      const found = () => stores.runs.findWithLastIndex(organizationId, run.id);
      expect(await found()).toEqual({ run, lastIndex: 0 });
      const { index: _, ...one } = step(0, { source: "worker", inAttempt: null });
      expect(await executions.appendSteps([], 0)).toBe(true);
      expect(await executions.appendSteps([one, one, one], 0)).toBe(true);
      const all = await Promise.all([1, 2, 3, 4, 5].map(() => executions.appendSteps([one], 3)));
      expect(all).toEqual([true, true, true, true, true]);
      expect(await list()).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], 8]);
      expect(await found()).toMatchObject({ lastIndex: 8 });
      expect(await executions.appendSteps([{ ...one, assignmentId: v7() }], 8)).toBe(false);
      await endRun();
      expect(await executions.appendSteps([{ ...one, assignmentId: job.assignmentId }], 8)).toBe(false);
      expect(await list()).toMatchObject([{ length: 8 }, 8]);
    });

    it("removes all rows of a run's executions, and none of another run or of its files", async () => {
      const { stores, executions, job, step, list, organizationId, run } = await setUp();
      const { put } = stores;
      const second = await put.run(aRun({ organizationId, executor: "service", status: "running" }));
      const kept = aStep(second);
      await executions.recordStep(kept);
      await executions.begin(job, arn);
      for (let index = 1; index <= 101; index += 1) await executions.recordStep(step(index));
      await executions.recordOutcome({ ...job, index: 1 }, { ...outcome, saved: { name: "a", value: 1 } });
      const { index: _, ...next } = step(0, { source: "worker" });
      await executions.appendSteps([next], 0);
      await executions.removeAll(organizationId, run.id);
      expect(await stores.runs.findWithLastIndex(organizationId, run.id)).toMatchObject({ lastIndex: 0 });
      await executions.removeAll(organizationId, run.id);
      expect(await list()).toEqual([[], 0]);
      expect(await executions.readState(job)).toEqual({
        execution: undefined,
        lastStep: undefined,
        saved: [],
      });
      expect(await stores.runs.find(organizationId, run.id)).toBeDefined();
      expect(await executions.findLastStep(organizationId, second.id)).toEqual(kept);
    });
  });
}
