import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import { startRun } from "../../../shared/domain/schedule/run-schedule.ts";
import type { Schedule } from "../../../shared/domain/schedule/schedule.ts";
import { anApiKey } from "../../support/builders/entities.ts";
import { aSchedule } from "../../support/builders/schedules.ts";
import { createTestService } from "../../support/shared/test-service.ts";

async function setUp(key?: Partial<ApiKey>) {
  const { deps, stores, organizationId } = await createTestService();
  const own = key && anApiKey({ organizationId, ...key });
  const find = async (keyId: string) => (keyId === own?.id ? own : undefined);
  const workflow = await stores.put.workflow({ organizationId });
  const schedule = (fields: Partial<Schedule> = {}) =>
    aSchedule({ organizationId, workflowId: workflow.id, keyId: own?.id ?? null, ...fields });
  const start = (of: Schedule, runId = v7()) => startRun({ ...deps, apiKeys: { find } }, of, runId);
  return { stores, organizationId, workflow, schedule, start };
}

const deletedAt = "2026-03-02T00:00:00.000Z";
const text = "x".repeat(3);
const withFile = {
  files: [{ filename: "a.txt", sizeBytes: 3, targetPath: null, cleanupImportsAfterRun: false }],
  contents: { kind: "inline", value: [Buffer.from(text).toString("base64")] },
} as const;

describe("the run of a schedule's time", () => {
  it("is its creator's, with the id given, and made once however often it is started", async () => {
    const { stores, organizationId, schedule, start } = await setUp({});
    const [one, runId] = [schedule({ inputValues: { customer: "Ada" }, ...withFile }), v7()];
    expect(await start(one, runId)).toMatchObject({ kind: "started", run: { id: runId } });
    const run = await stores.runs.find(organizationId, runId);
    expect(run).toMatchObject({ userId: one.userId, inputValues: { customer: "Ada" }, revision: 1 });
    expect(await start({ ...one, inputValues: {} }, runId)).toMatchObject({ kind: "started" });
    expect(await stores.runs.find(organizationId, runId)).toEqual(run);
    const [file = ""] = run?.inputAttachmentIds ?? [];
    const key = stores.files.attachmentKey(organizationId, runId, file);
    expect(Buffer.from((await stores.files.get(key, 100)) ?? []).toString()).toBe(text);
    const { total } = await stores.runs.list(organizationId, {}, { skip: 0, limit: 1 });
    expect(total).toBe(1);
  });

  it("is not made twice by two at once", async () => {
    const { stores, organizationId, schedule, start } = await setUp();
    const [one, runId] = [schedule(withFile), v7()];
    const both = await Promise.all([start(one, runId), start(one, runId)]);
    expect(both.map(({ kind }) => kind)).toEqual(["started", "started"]);
    expect((await stores.runs.list(organizationId, {}, { skip: 0, limit: 1 })).total).toBe(1);
  });

  it.each([
    ["revoked", { revokedAt: deletedAt }, "key_revoked"],
    ["expired", { expiresAt: "2020-01-01T00:00:00.000Z" }, "key_expired"],
  ] as const)("stops the schedule when its key is %s", async (_, key, reason) => {
    const { schedule, start } = await setUp(key);
    expect(await start(schedule())).toEqual({ kind: "stopped", reason });
  });

  it("stops the schedule when its key is gone", async () => {
    const { schedule, start } = await setUp();
    expect(await start(schedule({ keyId: "gone" }))).toEqual({ kind: "stopped", reason: "key_revoked" });
  });

  it("stops the schedule when its workflow, machine or pool is gone, and leaves no file", async () => {
    const { stores, organizationId, workflow, schedule, start } = await setUp();
    expect(await start(schedule({ machineId: v7(), ...withFile }))).toEqual({
      kind: "stopped",
      reason: "machine_deleted",
    });
    expect(await start(schedule({ poolIds: [v7()] }))).toEqual({ kind: "stopped", reason: "pool_deleted" });
    await stores.workflows.markDeleted(organizationId, workflow.id, deletedAt);
    expect(await start(schedule())).toEqual({ kind: "stopped", reason: "workflow_deleted" });
    expect(stores.files.keys()).toEqual([]);
  });

  it("is refused, and the schedule goes on, when its inputs do not fit any more", async () => {
    const { stores, organizationId, schedule, start } = await setUp();
    const inputSchema = { type: "object", properties: { total: { type: "integer" } } };
    const { id: workflowId } = await stores.put.workflow({ organizationId, inputSchema });
    expect(await start(schedule({ workflowId, inputValues: { total: "x" } }))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("body.input_values.total"),
    });
  });
});
