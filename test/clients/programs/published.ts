import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { ApiError, createClient, type Machine, type RunStep } from "@desktop-automation-service/client";

const { BASE_URL: baseUrl = "", API_KEY: credentials, MACHINE_ID = "", WORKFLOW_ID = "" } = process.env;
const client = createClient({ baseUrl, credentials });

const machines: Machine[] = [];
for await (const machine of client.each("listMachines", { query: { limit: 1, status: "connected" } })) {
  machines.push(machine);
}
ok(machines.some(({ id }) => id === MACHINE_ID));

const created = await client.call("createRun", {
  body: {
    workflow_id: WORKFLOW_ID,
    machine_id: MACHINE_ID,
    input_values: { item: "Desk lamp", quantity: 3 },
    sensitive_input_values: { pin: "2468" },
  },
});
const steps: RunStep[] = [];
const run = await client.runs.waitUntilEnded(created.id, { onStep: (step) => steps.push(step) });
equal(run.status, "success", run.error.join());
equal(steps[0]?.action.type, "click");

// One goes into the request, the other to the bucket.
for (const bytes of [3, 5_000_000]) {
  const data = new Uint8Array(bytes).fill(97);
  const { id } = await client.files.upload({
    run_id: run.id,
    attachment_type: "output",
    filename: "ä.txt",
    data: bytes === 3 ? new Blob([data]) : data,
  });
  deepEqual(await client.files.download(id), data);
}

const path = { run_id: MACHINE_ID };
await rejects(client.call("getRun", { path }), (error) => {
  ok(error instanceof ApiError);
  equal(error.errorCode, "not_found");
  match(String(error.requestId), /\S/);
  return true;
});
await rejects(client.call("updateMachine", { path: { machine_id: MACHINE_ID }, body: { name: "" } }), {
  status: 422,
  field: "body.name",
});
