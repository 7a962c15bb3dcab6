import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { made } from "../../support/stack/own-resources.ts";
import { hasEnded, readRun, serviceWorkflow } from "../../support/stack/service-runs.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

it("brings files to the desktop and takes what lies in its folder for exports", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const driver = await driverOf(organization);
  onTestFinished(async () => await driver.stop());
  const actions = [
    { type: "read_file", path: "~/Transfers/in ü.txt", save_as: "content" },
    { type: "write_file", path: "{exports}/out ü.txt", content: "{content}!" },
    { type: "finish" },
  ];
  const { workflowId: workflow_id } = await serviceWorkflow(key, actions, { includes_file_exports: true });
  const file = { filename: "in ü.txt", content: btoa("abc"), cleanup_imports_after_run: true };
  const id = await made(key, "/v1/runs", { workflow_id, file_inputs: [file] });
  await until(async () => await hasEnded(key, id));
  const { status, error, output_attachment_ids: outputs } = await readRun(key, id);
  expect({ status, error, outputs }).toMatchObject({ status: "success", error: [], outputs: { length: 1 } });
  const { body } = await ask(`/v1/run-attachments/${outputs[0]}`, { key });
  expect(body).toMatchObject({ filename: "out ü.txt", attachment_type: "output", size_bytes: 4 });
  const download = await ask(`/v1/run-attachments/${outputs[0]}/download`, { key });
  expect(new TextDecoder().decode(download.bytes)).toBe("abc!");
  expect(await readdir(join(driver.root, "Transfers"))).toEqual([]);
});
