import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { Undecryptable } from "../../../shared/domain/encryption.ts";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { NewRuns, RecordedResponse, RestartedRun } from "../../../shared/domain/run/run-store.ts";
import { runSecretKey } from "../../../shared/storage/table/keys.ts";
import { anAttachment, anIdempotency, aRun, aSession, secretOf } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function newRuns(runs: readonly Run[], rest: Partial<NewRuns> = {}): NewRuns {
  const named = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  return {
    organizationId: runs[0]?.organizationId ?? organizationIdOf(""),
    runs,
    attachments: [],
    secret: secretOf(runs),
    required: {
      workflowIds: named(runs.map((run) => run.workflowId)),
      machineIds: named(runs.map((run) => run.machineId)),
      poolIds: named(runs.flatMap((run) => run.poolIds)),
      sessionIds: rest.session ? [] : named(runs.map((run) => run.sessionId)),
    },
    ...rest,
  };
}

const page = { skip: 0, limit: 10 };

export function runStoreSuite(create: CreateTableStores): void {
  const setUp = async (fields: Partial<Run> = {}) => {
    const stores = create();
    const { organizationId: organization, id: workflowId } = await stores.put.workflow();
    const run = aRun({ organizationId: organization, workflowId, ...fields });
    return { ...stores, run, organization };
  };

  describe("a run store", () => {
    it("finds a run as it was created", async () => {
      const { runs, run, organization } = await setUp({
        inputValues: { deep: { "": [null, 1.5, "ä"] } },
        sensitiveAliases: ["password"],
        secretId: v7(),
        outputData: { kind: "inline", value: [1] },
        runMessageHistory: { kind: "object", key: "spill/o/run/x/y", bytes: 9_000, head: "[" },
        error: ["one"],
        usageMetadata: { tokens: 3 },
        releaseSessionAfter: true,
      });
      expect(await runs.create(newRuns([run]))).toEqual({ kind: "created" });
      expect(await runs.find(organization, run.id)).toEqual(run);
    });

    it("makes no run of a workflow, a machine or a pool that is not there, and says which", async () => {
      const { runs, put, organization, run } = await setUp();
      const stranger = aRun({ organizationId: organization });
      expect(await runs.create(newRuns([stranger]))).toEqual({
        kind: "missing",
        what: "workflow",
        id: stranger.workflowId,
      });
      const machineId = v7();
      const onMachine = { ...run, machineId };
      const missing = { kind: "missing", what: "machine", id: machineId };
      expect(await runs.create(newRuns([onMachine]))).toEqual(missing);
      await put.machine({ organizationId: organization, id: machineId });
      expect(await runs.create(newRuns([onMachine]))).toEqual({ kind: "created" });
      const poolId = v7();
      const ofPool = { ...run, id: v7(), poolIds: [poolId] };
      expect(await runs.create(newRuns([ofPool]))).toEqual({ kind: "missing", what: "pool", id: poolId });
      await put.pool({ organizationId: organization, id: poolId });
      expect(await runs.create(newRuns([ofPool]))).toEqual({ kind: "created" });
      expect((await runs.list(organization, {}, page)).total).toBe(2);
    });

    it("begins a session with its first run, and takes others into it", async () => {
      const { runs, run, organization } = await setUp();
      const sessionId = v7();
      const inSession = { ...run, sessionId };
      expect(await runs.create(newRuns([inSession]))).toEqual({
        kind: "missing",
        what: "session",
        id: sessionId,
      });
      const session = aSession({ organizationId: organization, id: sessionId });
      expect(await runs.create(newRuns([inSession], { session }))).toEqual({ kind: "created" });
      expect(await runs.findSession(organization, sessionId)).toEqual(session);
      expect(await runs.findSession(organizationIdOf("org_other"), sessionId)).toBeUndefined();
      expect(await runs.create(newRuns([{ ...inSession, id: v7() }]))).toEqual({ kind: "created" });
    });

    it("changes the fields given, leaves the others, and counts the revision up", async () => {
      const { runs, run, organization } = await setUp({ usageMetadata: { a: 1 }, startedAt: null });
      await runs.create(newRuns([run]));
      const change = {
        outputData: { kind: "inline" as const, value: null },
        inputValues: { b: 2 },
        usageMetadata: null,
        error: ["x"],
      };
      const changed = { ...run, ...change, revision: 2 };
      expect(await runs.update(organization, run.id, change)).toEqual({ kind: "updated", run: changed });
      expect(await runs.find(organization, run.id)).toEqual(changed);
    });

    it("lets a run take legal steps only", async () => {
      const { runs, run, organization } = await setUp();
      await runs.create(newRuns([run]));
      const success = await runs.update(organization, run.id, { status: "success" });
      expect(success).toEqual({ kind: "illegal_transition", run });
      expect(await runs.update(organization, run.id, { status: "cancelled" })).toMatchObject({
        kind: "updated",
        run: { status: "cancelled" },
      });
      expect(await runs.update(organization, run.id, { status: "error" })).toMatchObject({
        kind: "illegal_transition",
        run: { status: "cancelled" },
      });
      expect(await runs.update(organization, run.id, { inputValues: {} })).toMatchObject({
        kind: "inputs_frozen",
      });
    });

    it("changes a running run for who has its assignment id only", async () => {
      const { runs, run, organization, put } = await setUp();
      await put.run({ ...run, status: "running", assignmentId: "mine" });
      for (const assignmentId of [undefined, "yours", ""]) {
        expect(await runs.update(organization, run.id, { error: [] }, { assignmentId })).toMatchObject({
          kind: "assignment_mismatch",
        });
      }
      expect(
        await runs.update(organization, run.id, { status: "success" }, { assignmentId: "mine" }),
      ).toMatchObject({ kind: "updated", run: { status: "success" } });
    });

    it("ends a running run for whoever needs no assignment id", async () => {
      const { runs, run, organization, put } = await setUp();
      await put.run({ ...run, status: "running", assignmentId: "mine" });
      const any = { ofAnyAssignment: true };
      expect(await runs.update(organization, run.id, { status: "cancelled" }, any)).toMatchObject({
        kind: "updated",
        run: { status: "cancelled" },
      });
      expect(await runs.update(organization, run.id, { status: "cancelled" }, any)).toMatchObject({
        kind: "illegal_transition",
      });
    });

    it("changes no run but one at work for who may change only that", async () => {
      const { runs, run, organization, put } = await setUp();
      await runs.create(newRuns([run]));
      const own = { assignmentId: "mine", mustRun: true };
      for (const change of [{ error: ["a"] }, { status: "cancelled" as const }]) {
        expect(await runs.update(organization, run.id, change, own)).toMatchObject({
          kind: "assignment_mismatch",
        });
      }
      const { id } = await put.run({ ...run, id: v7(), status: "running", assignmentId: "mine" });
      for (const change of [{ error: ["a"] }, { status: "error" as const }]) {
        expect(await runs.update(organization, id, change, own)).toMatchObject({ kind: "updated" });
      }
      expect(await runs.update(organization, id, { error: ["b"] }, own)).toMatchObject({
        kind: "assignment_mismatch",
      });
    });

    it("changes nothing of a run that is no longer at the revision given", async () => {
      const { runs, run, organization } = await setUp();
      await runs.create(newRuns([run]));
      await runs.update(organization, run.id, { error: ["a"] });
      expect(await runs.update(organization, run.id, { error: ["b"] }, { revision: 1 })).toEqual({
        kind: "changed",
      });
      expect(await runs.update(organization, run.id, { error: ["b"] }, { revision: 2 })).toMatchObject({
        kind: "updated",
      });
    });

    it("lets one of two ends come about", async () => {
      const { runs, run, organization } = await setUp();
      await runs.create(newRuns([run]));
      const outcomes = await Promise.all([
        runs.update(organization, run.id, { status: "cancelled" }),
        runs.update(organization, run.id, { status: "error" }),
      ]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["illegal_transition", "updated"]);
    });

    it("puts a run that has ended back to the start whole, exactly as it was read", async () => {
      const { runs, run, organization, put } = await setUp({ sessionAlias: "a", usageMetadata: {} });
      await runs.create(newRuns([run]));
      const again = (before: Run, fields: Partial<Run> = {}): RestartedRun => ({
        before,
        run: { ...before, status: "scheduling", endedAt: null, revision: before.revision + 1, ...fields },
        attachments: [],
      });
      expect(await runs.restart(again(run))).toEqual({ kind: "changed" });
      const ended = await runs.update(organization, run.id, { status: "error", endedAt: run.createdAt });
      if (ended.kind !== "updated") throw new Error(ended.kind);
      const machineId = v7();
      const target = { machineId, namedMachineId: machineId, usageMetadata: null, error: ["x"] };
      const restarted = again(ended.run, target);
      const missing = { kind: "missing", what: "machine", id: machineId };
      expect(await runs.restart(restarted)).toEqual(missing);
      await put.machine({ organizationId: organization, id: machineId });
      const attachment = anAttachment({ organizationId: organization, runId: run.id });
      expect(await runs.restart({ ...restarted, attachments: [attachment] })).toEqual({ kind: "restarted" });
      expect(await runs.find(organization, run.id)).toEqual(restarted.run);
      expect(await runs.listAttachmentIds(organization, run.id)).toEqual([attachment.id]);
      expect((await runs.list(organization, { machineId }, page)).items).toHaveLength(1);
      expect((await runs.list(organization, { status: "scheduling" }, page)).total).toBe(1);
      expect((await runs.list(organization, { status: "error" }, page)).total).toBe(0);
      expect(await runs.restart(restarted)).toEqual({ kind: "changed" });
      await runs.markDeleted(organization, run.id, run.createdAt);
      expect(await runs.restart(again(restarted.run))).toEqual({ kind: "changed" });
    });

    it("replaces a retried run's secret, which goes with its last use, and puts the result on record", async () => {
      const { runs, idempotencyRecords, run, organization } = await setUp();
      const [shared, fresh] = [v7(), v7()];
      const [one, two] = [0, 1].map(() => ({ ...run, id: v7(), secretId: shared }));
      if (!one || !two) throw new Error("there are two");
      await runs.create(newRuns([one, two]));
      const valuesOf = (secretId: string) => runs.readSecret({ organizationId: organization, secretId });
      const restart = async (id: string, secretId: string | null, answer?: RecordedResponse) => {
        await runs.update(organization, id, { status: "cancelled" });
        const before = await runs.find(organization, id);
        if (before === undefined) throw new Error("it is there");
        const after = { ...before, secretId, status: "scheduling" as const, revision: before.revision + 1 };
        const secret = secretId === null ? undefined : { id: secretId, values: { pin: "new" } };
        return await runs.restart({ before, run: after, attachments: [], secret }, answer);
      };
      expect(await restart(one.id, fresh)).toEqual({ kind: "restarted" });
      expect([await valuesOf(fresh), await valuesOf(shared)]).toEqual([{ pin: "new" }, {}]);
      const idempotency = anIdempotency(organization);
      expect(await restart(two.id, null, { idempotency, result: 7 })).toEqual({ kind: "restarted" });
      expect(await valuesOf(shared)).toBeUndefined();
      expect(await idempotencyRecords.find(idempotency)).toMatchObject({ kind: "done", result: 7 });
      await expect(restart(two.id, null, { idempotency, result: 8 })).rejects.toThrow(AlreadyOnRecord);
    });

    describe("the sensitive values of runs", () => {
      const cancelled = { status: "cancelled", endedAt: "2026-01-15T12:00:00.000Z" } as const;
      const sharing = async (count = 2) => {
        const all = await setUp();
        const secretId = v7();
        const shared = Array.from({ length: count }, () => ({ ...all.run, id: v7(), secretId }));
        const news = newRuns(shared, { secret: { id: secretId, values: { pin: "a canary" } } });
        await all.runs.create(news);
        const values = () => all.runs.readSecret({ organizationId: all.organization, secretId });
        return { ...all, secretId, shared, news, values };
      };

      it("lie encrypted, for their own item alone", async () => {
        const { runs, table, organization, secretId, values } = await sharing();
        const other = await sharing();
        const key = runSecretKey(organization, secretId);
        expect(await values()).toEqual({ pin: "a canary" });
        const stranger = { organizationId: other.organization, secretId };
        expect(await runs.readSecret(stranger)).toBeUndefined();
        const item = await table.get(key);
        expect(Buffer.from(item?.values as Uint8Array).includes("canary")).toBe(false);
        await table.put({ ...item, ...runSecretKey(other.organization, other.secretId) });
        const moved = { organizationId: other.organization, secretId: other.secretId };
        await expect(runs.readSecret(moved)).rejects.toThrow(Undecryptable);
      });

      it("are never named by a run that is created without them", async () => {
        const { runs, run } = await setUp();
        const without = newRuns([{ ...run, secretId: v7() }], { secret: undefined });
        await expect(runs.create(without)).rejects.toThrow("sensitive values");
        expect(await runs.find(run.organizationId, run.id)).toBeUndefined();
      });

      it("go with the last of the runs that is removed", async () => {
        const { runs, organization, shared, values } = await sharing();
        for (const { id } of shared) await runs.markDeleted(organization, id, cancelled.endedAt);
        const [first = "", second = ""] = shared.map(({ id }) => id);
        for (const id of [first, first]) await runs.remove(organization, id);
        expect(await values()).toEqual({ pin: "a canary" });
        for (const id of [second, second]) await runs.remove(organization, id);
        expect(await values()).toBeUndefined();
      });

      it("go with the last of the runs that ends, however often it is done", async () => {
        const { runs, organization, shared, secretId, values } = await sharing();
        const [one, two] = shared;
        if (!one || !two) throw new Error("there are two");
        for (const { id } of shared) await runs.update(organization, id, cancelled);
        const due = async () =>
          (await runs.listSecretsDue(1_000)).filter((each) => each.secretId === secretId);
        expect(await due()).toHaveLength(2);
        const before = await runs.find(organization, one.id);
        for (let time = 0; time < 2; time += 1) await runs.releaseSecret(organization, one.id, secretId);
        expect(await runs.find(organization, one.id)).toEqual({
          ...before,
          secretId: null,
          revision: (before?.revision ?? 0) + 1,
        });
        expect((await due()).map(({ id }) => id)).toEqual([two.id]);
        expect(await values()).toEqual({ pin: "a canary" });
        for (let time = 0; time < 2; time += 1) await runs.releaseSecret(organization, two.id, secretId);
        expect(await due()).toEqual([]);
        expect(await values()).toBeUndefined();
      });

      it("go with the last of forty runs that end at once", async () => {
        const { runs, organization, shared, secretId, values } = await sharing(40);
        for (const { id } of shared) await runs.update(organization, id, cancelled);
        await Promise.all(shared.map(({ id }) => runs.releaseSecret(organization, id, secretId)));
        expect(await values()).toBeUndefined();
      });

      it("stay while the run goes on, and once it has been put back to the start", async () => {
        const { runs, organization, shared, secretId, values } = await sharing(1);
        const id = shared[0]?.id ?? "";
        await runs.releaseSecret(organization, id, secretId);
        await runs.update(organization, id, cancelled);
        const before = await runs.find(organization, id);
        if (before === undefined) throw new Error("it is there");
        const again = {
          ...before,
          status: "scheduling" as const,
          endedAt: null,
          revision: before.revision + 1,
        };
        await runs.restart({ before, run: again, attachments: [] });
        await runs.releaseSecret(organization, id, secretId);
        expect(await runs.find(organization, id)).toMatchObject({ secretId });
        expect(await values()).toEqual({ pin: "a canary" });
        expect((await runs.listSecretsDue(1_000)).map((each) => each.id)).not.toContain(id);
      });

      it("are there again with a later part of their request, when all earlier runs have ended", async () => {
        const { runs, organization, shared, secretId, news, values } = await sharing(1);
        await runs.update(organization, shared[0]?.id ?? "", cancelled);
        await runs.releaseSecret(organization, shared[0]?.id ?? "", secretId);
        expect(await values()).toBeUndefined();
        const last = { ...news.runs[0], id: v7() } as Run;
        await runs.create({ ...news, runs: [last] });
        expect(await values()).toEqual({ pin: "a canary" });
        await runs.update(organization, last.id, cancelled);
        await runs.releaseSecret(organization, last.id, secretId);
        expect(await values()).toBeUndefined();
      });

      it("are left to the deletion of one that is deleted", async () => {
        const { runs, organization, shared, secretId, values } = await sharing(1);
        const id = shared[0]?.id ?? "";
        await runs.update(organization, id, cancelled);
        await runs.markDeleted(organization, id, cancelled.endedAt);
        await runs.releaseSecret(organization, id, secretId);
        expect((await runs.listSecretsDue(1_000)).map((each) => each.id)).not.toContain(id);
        expect(await values()).toEqual({ pin: "a canary" });
        await runs.remove(organization, id);
        expect(await values()).toBeUndefined();
      });
    });

    it("leaves the total right after 200 creations and deletions at once", async () => {
      const { runs, run, organization } = await setUp();
      const all = Array.from({ length: 150 }, () => ({ ...run, id: v7() }));
      const [first, later] = [all.slice(0, 50), all.slice(50)];
      await Promise.all(first.map((each) => runs.create(newRuns([each]))));
      await Promise.all([
        ...first.flatMap(({ id }) => [0, 1].map(() => runs.markDeleted(organization, id, run.createdAt))),
        ...later.map((each) => runs.create(newRuns([each]))),
      ]);
      expect((await runs.list(organization, {}, page)).total).toBe(100);
    });
  });

  describe("a run store's writes under an idempotency record", () => {
    it("make a part of a request once, and say so", async () => {
      const { runs, run, organization } = await setUp();
      const part = { idempotencyId: randomUUID(), number: 3 };
      expect(await runs.create(newRuns([run], { part }))).toEqual({ kind: "created" });
      expect(await runs.create(newRuns([run], { part }))).toEqual({ kind: "repeated" });
      const other = { ...part, number: 4 };
      expect(await runs.create(newRuns([{ ...run, id: v7() }], { part: other }))).toEqual({
        kind: "created",
      });
      expect((await runs.list(organization, {}, page)).total).toBe(2);
    });
  });
}
