import { randomUUID } from "node:crypto";
import { expect, inject, it } from "vitest";
import { createApiClient } from "../../shared/client/api-client.ts";
import { ApiError } from "../../shared/client/api-error.ts";
import { serviceWorkflow } from "../support/stack/service-runs.ts";
import { createOrganization, driverOf, keyOf } from "../support/stack/stack-client.ts";

it("the typed client makes, reads, changes, lists and deletes a machine of the stack", async () => {
  const client = createApiClient({
    baseUrl: inject("stack").baseUrl,
    credentials: keyOf(await createOrganization(), "full"),
  });
  const made = await client.call("createMachine", {
    body: { fingerprint: randomUUID(), name: "client" },
  });
  const path = { machine_id: made.id };
  expect((await client.call("getMachine", { path })).name).toBe("client");
  const changed = await client.call("updateMachine", { path, body: { name: "client 2" } });
  expect(changed.name).toBe("client 2");
  const found = await client.call("listMachines", { query: { search: "CLIENT 2", limit: 5 } });
  expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  expect(await client.call("deleteMachine", { path })).toBeUndefined();
  const error = await client.call("getMachine", { path }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, errorCode: "not_found", requestId: expect.any(String) });
});

it("follows a run of the stack step by step to its end, in as many requests as it has steps and one in each 20 s", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const driver = await driverOf(organization);
  let requests = 0;
  const client = createApiClient({
    baseUrl: inject("stack").baseUrl,
    credentials: key,
    fetch: async (...request) => {
      requests += 1;
      return await fetch(...request);
    },
  });
  const scroll = { type: "scroll", direction: "down", amount: 1 };
  const { workflowId } = await serviceWorkflow(key, [scroll, { type: "wait", seconds: 1 }, scroll, scroll]);
  const { id } = await client.call("createRun", { body: { workflow_id: workflowId } });
  requests = 0;
  const beganMs = performance.now();
  const seen: string[] = [];
  const onStep = ({ index, status }: { readonly index: number; readonly status: string }) =>
    seen.push(`${index} ${status}`);
  const run = await client.runs.waitUntilEnded(id, { onStep });
  const periods = Math.ceil((performance.now() - beganMs) / 20_000);
  await driver.stop();
  const { items } = await client.call("listRunSteps", { path: { run_id: id } });
  expect(items.length).toBeGreaterThanOrEqual(4);
  expect([run.id, seen]).toEqual([id, items.map(({ index, status }) => `${index} ${status}`)]);
  expect(requests - 1).toBeLessThanOrEqual(items.length + periods);
  // A run that has ended is answered at once.
  expect((await client.runs.waitUntilEnded(id)).status).toBe(run.status);
});
