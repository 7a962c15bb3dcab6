import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { client } from "./client/client.gen.ts";
import {
  createRun,
  createRunAttachment,
  downloadRunAttachment,
  getDatabaseHealth,
  getRun,
  listMachines,
  listRunSteps,
  scrollMouse,
} from "./client/index.ts";

const { BASE_URL: baseUrl = "", API_KEY: auth = "", MACHINE_ID = "", WORKFLOW_ID = "" } = process.env;
client.setConfig({ baseUrl, auth });
const throwOnError = true;

const { data: machines } = await listMachines({
  query: { limit: 10, status: ["connected", "error"] },
  throwOnError,
});
ok(machines.items.some(({ id }) => id === MACHINE_ID));

const { data: health } = await getDatabaseHealth({ throwOnError });
equal(health.status, "ok");

await scrollMouse({
  path: { machine_id: MACHINE_ID },
  body: { direction: "down", amount: 1, x: 200, y: 150 },
  throwOnError,
});

const { data: created } = await createRun({
  body: {
    workflow_id: WORKFLOW_ID,
    machine_id: MACHINE_ID,
    input_values: { item: "Desk lamp", quantity: 3 },
    sensitive_input_values: { pin: "2468" },
  },
  throwOnError,
});
const path = { run_id: created.id };
let { status, error } = created;
while (status === "scheduling" || status === "running") {
  await sleep(300);
  ({ status, error } = (await getRun({ path, throwOnError })).data);
}
equal(status, "success", error.join());
const { data: steps } = await listRunSteps({ path, throwOnError });
equal(steps.items[0]?.action.type, "click");
equal(steps.items.at(-1)?.status, "done");

const { data: made } = await createRunAttachment({
  body: { run_id: created.id, attachment_type: "output", filename: "ä.txt", content: "YWJj" },
  throwOnError,
});
equal(made.size_bytes, 3);
const { data: file } = await downloadRunAttachment({
  path: { attachment_id: made.id },
  parseAs: "blob",
  throwOnError,
});
deepEqual(new Uint8Array(await (file as Blob).arrayBuffer()), new TextEncoder().encode("abc"));
