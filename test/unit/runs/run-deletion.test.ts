import { describe, expect, it } from "vitest";
import { Run } from "../../../shared/contract/run.ts";
import { expireAttachments } from "../../../shared/domain/maintenance/finish-attachment-deletion.ts";
import { finishRunDeletion } from "../../../shared/domain/maintenance/finish-run-deletion.ts";
import { setUpRuns } from "./run-service.ts";

/** A run with a file, a heavy output and a secret, marked deleted. */
async function deletedRun() {
  const service = await setUpRuns();
  const made = await service.create({
    sensitive_input_values: { pin: "1" },
    file_inputs: [{ filename: "a.txt", content: "YWJj" }],
  });
  const { id } = Run.parse(await made.json());
  await service.ask("PATCH", `/v1/runs/${id}`, { output_data: "x".repeat(20_000) });
  await service.ask("DELETE", `/v1/runs/${id}`);
  const { stores, organizationId } = service;
  const left = async () => ({
    run: await stores.runs.findDeleted(organizationId, id),
    attachments: (await stores.runs.listAttachmentIds(organizationId, id)).length,
    files: stores.files.keys(),
    secrets: stores.secrets.names(),
  });
  const finish = () => finishRunDeletion(stores, organizationId, id);
  return { ...service, finish, left };
}

describe("the deletion of a run", () => {
  it("takes its attachments, their files, its output and its secret with it, and once is enough", async () => {
    const { finish, left } = await deletedRun();
    expect((await left()).files).toHaveLength(2);
    expect(await finish()).toBe(true);
    expect(await left()).toEqual({ run: undefined, attachments: 0, files: [], secrets: [] });
    expect(await finish()).toBe(false);
  });

  it("comes to the same end when a file could not be removed at first", async () => {
    for (let failing = 1; failing <= 2; failing += 1) {
      const { finish, left, stores } = await deletedRun();
      const remove = stores.files.remove.bind(stores.files);
      let calls = 0;
      stores.files.remove = async (key) => {
        calls += 1;
        if (calls === failing) throw new Error("the bucket is away");
        await remove(key);
      };
      await expect(finish()).rejects.toThrow();
      expect((await left()).run).toBeDefined();
      await finish();
      expect(await left()).toEqual({ run: undefined, attachments: 0, files: [], secrets: [] });
    }
  });
});

it("an attachment that expires goes with its file at the sweeper's next run", async () => {
  const { ask, stores, putRun, organizationId } = await setUpRuns();
  const { clock } = stores;
  const run = await putRun();
  const expires_at = new Date(clock.now() + 1_000).toISOString();
  const body = { run_id: run.id, attachment_type: "output", filename: "a", content: "YQ==", expires_at };
  const made = await ask("POST", "/v1/run-attachments", body);
  expect(made.status).toBe(201);
  expect(await expireAttachments(stores)).toBe(0);
  clock.advance(1_000);
  expect(await expireAttachments(stores)).toBe(1);
  expect(stores.files.keys()).toEqual([]);
  expect(await stores.runs.listAttachmentIds(organizationId, run.id)).toEqual([]);
});
