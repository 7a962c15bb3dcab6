import { expect, it } from "vitest";
import {
  expireAttachments,
  settleUploads,
} from "../../../shared/domain/maintenance/finish-attachment-deletion.ts";
import { setUpRuns } from "./run-service.ts";

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

it("an attachment whose upload was never finished goes in a day, and one whose file is there stays", async () => {
  const { ask, stores, putRun, organizationId } = await setUpRuns();
  const { clock, files } = stores;
  const run = await putRun();
  const idOf = async (filename: string) => {
    const body = { run_id: run.id, attachment_type: "output", filename, size_bytes: 1 };
    const made = await ask("POST", "/v1/run-attachments", body);
    return ((await made.json()) as { id: string }).id;
  };
  const finished = await idOf("finished");
  await idOf("never finished");
  await files.put(files.attachmentKey(organizationId, run.id, finished), Buffer.from("a"), "text/plain");
  clock.advance(24 * 3_600_000);
  expect(await settleUploads(stores)).toBe(0);
  clock.advance(900_000);
  expect(await settleUploads(stores)).toBe(2);
  expect(await stores.runs.listAttachmentIds(organizationId, run.id)).toEqual([finished]);
  expect(await settleUploads(stores)).toBe(0);
});
