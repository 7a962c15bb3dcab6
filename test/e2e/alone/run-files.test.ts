import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { Run } from "../../../shared/contract/run/run.ts";
import { made } from "../../support/stack/own-resources.ts";
import { spawnDriver } from "../../support/stack/spawn-driver.ts";
import { ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

it("brings files to the desktop and takes what lies in its folder for exports", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const { websocketUrl } = inject("stack");
  const driver = await spawnDriver({ websocketUrl, key: keyOf(organization, "driver") });
  onTestFinished(async () => await driver.stop());
  const workflow = { main_prompt: "Copy the file.", replay: "only", includes_file_exports: true };
  const workflow_id = await made(key, "/v1/workflows", workflow);
  const actions = [
    { type: "read_file", path: "~/Transfers/in ü.txt", save_as: "content" },
    { type: "write_file", path: "{exports}/out ü.txt", content: "{content}!" },
    { type: "finish" },
  ];
  const trajectory = await made(key, "/v1/trajectories", {
    workflow_id,
    is_approved: true,
    dimensions: { width: 1280, height: 800 },
    trajectory_data: actions.map((action) => ({ action, by: "replay" })),
  });
  const main = await ask(`/v1/trajectories/${trajectory}`, {
    method: "PATCH",
    key,
    body: { is_main: true },
  });
  expect(main.status, JSON.stringify(main.body)).toBe(200);
  const file = { filename: "in ü.txt", content: btoa("abc"), cleanup_imports_after_run: true };
  const id = await made(key, "/v1/runs", { workflow_id, file_inputs: [file] });
  const run = async () => Run.parse((await ask(`/v1/runs/${id}`, { key })).body);
  await until(async () => !["scheduling", "running"].includes((await run()).status));
  const { status, error, output_attachment_ids: outputs } = await run();
  expect({ status, error, outputs }).toMatchObject({ status: "success", error: [], outputs: { length: 1 } });
  const { body } = await ask(`/v1/run-attachments/${outputs[0]}`, { key });
  expect(body).toMatchObject({ filename: "out ü.txt", attachment_type: "output", size_bytes: 4 });
  const download = await ask(`/v1/run-attachments/${outputs[0]}/download`, { key });
  expect(new TextDecoder().decode(download.bytes)).toBe("abc!");
  expect(await readdir(join(driver.root, "Transfers"))).toEqual([]);
});
