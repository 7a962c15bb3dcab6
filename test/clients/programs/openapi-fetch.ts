import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { paths } from "./client.d.ts";

const { BASE_URL: baseUrl = "", API_KEY, MACHINE_ID = "", WORKFLOW_ID = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${API_KEY}` } });

/** @throws {Error} with the refusal's body. */
function dataOf<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const machines = dataOf(
  await client.GET("/v1/machines", { params: { query: { limit: 10, status: ["connected", "error"] } } }),
);
ok(machines.items.some(({ id }) => id === MACHINE_ID));

equal(dataOf(await client.GET("/v1/health/db")).status, "ok");

dataOf(
  await client.POST("/v1/computer/{machine_id}/input/mouse/scroll", {
    params: { path: { machine_id: MACHINE_ID } },
    body: { direction: "down", amount: 1, x: 200, y: 150 },
  }),
);

const created = dataOf(
  await client.POST("/v1/runs", {
    body: {
      workflow_id: WORKFLOW_ID,
      machine_id: MACHINE_ID,
      input_values: { item: "Desk lamp", quantity: 3 },
      sensitive_input_values: { pin: "2468" },
    },
  }),
);
const params = { path: { run_id: created.id } };
let { status, error } = created;
while (status === "scheduling" || status === "running") {
  await sleep(300);
  ({ status, error } = dataOf(await client.GET("/v1/runs/{run_id}", { params })));
}
equal(status, "success", error.join());
const { items: steps } = dataOf(await client.GET("/v1/runs/{run_id}/steps", { params }));
equal(steps[0]?.action.type, "click");
equal(steps.at(-1)?.status, "done");

const made = dataOf(
  await client.POST("/v1/run-attachments", {
    body: { run_id: created.id, attachment_type: "output", filename: "ä.txt", content: "YWJj" },
  }),
);
equal(made.size_bytes, 3);
const file = await client.GET("/v1/run-attachments/{attachment_id}/download", {
  params: { path: { attachment_id: made.id } },
  parseAs: "arrayBuffer",
});
deepEqual(new Uint8Array(dataOf(file)), new TextEncoder().encode("abc"));
