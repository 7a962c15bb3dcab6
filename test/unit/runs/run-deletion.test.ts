import { expect, it } from "vitest";
import { expireAttachments } from "../../../shared/domain/maintenance/finish-attachment-deletion.ts";
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
