import { randomUUID } from "node:crypto";
import { expect, inject, it, onTestFinished } from "vitest";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { demoInputs } from "../../../infra/local/demo/demo-definition.ts";
import { seedDemo } from "../../../infra/local/demo/seed-demo.ts";
import type { Run } from "../../../shared/contract/run/run.ts";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import { decodePng } from "../../support/pictures/decode-png.ts";
import { hasEnded, readRun } from "../../support/stack/service-runs.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

async function endOf(key: string, runId: string): Promise<Run> {
  await until(async () => await hasEnded(key, runId));
  return await readRun(key, runId);
}

it("the demo is done by the service alone, with its steps and pictures, again and again", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const { baseUrl } = inject("stack");
  const desk = { seed: 5 };
  const driver = await driverOf(organization, { desk });
  onTestFinished(async () => await driver.stop());
  const workflow_id = await seedDemo({ baseUrl, apiKey: key });
  // The run has a session of its own, which ends with it.
  const session = { start_session: true, release_session_after: true };
  const body = { workflow_id, ...demoInputs, ...session };
  const ended = (runId: string) => endOf(key, runId);
  const created = await ask<{ id: string }>("/v1/runs", { key, body });
  const { status, error, output_data: output, usage_metadata: usage } = await ended(created.body.id);
  expect({ status, error, output, usage }).toMatchObject({
    status: "success",
    error: [],
    usage: { replayed_steps: 12 },
    output: { item: "Desk lamp", quantity: 3, order_number: expect.stringMatching(/^\d{4}$/) },
  });
  const machine = await ask(`/v1/machines/${driver.machineId}`, { key });
  expect(machine.body).toMatchObject({ status: "connected", reserved_session_id: null });
  const listed = await ask(`/v1/runs/${created.body.id}/steps`, { key });
  const { items, total } = RunStepList.parse(listed.body);
  expect(total).toBe(13);
  expect(items.map((step) => step.status)).toEqual(Array.from({ length: 13 }, () => "done"));
  expect(JSON.stringify(items)).not.toContain(demoInputs.sensitive_input_values.pin);
  const picture = await ask(`/v1/runs/${created.body.id}/steps/12/screenshot`, { key });
  expect(decodePng(picture.bytes)).toMatchObject({ width: 1280, height: 800 });
  // The demo ends where it begins, so it can be repeated and verified.
  const { body: trajectory } = await ask<{ id: string }>(`/v1/workflows/${workflow_id}/latest-trajectory`, {
    key,
  });
  const { sensitive_input_values } = demoInputs;
  const other = { input_values: { item: "Chair" }, sensitive_input_values, machine_id: driver.machineId };
  const verify = `/v1/trajectories/${trajectory.id}/verify`;
  const verification = await ask<{ run: { id: string } }>(verify, { key, body: other });
  expect(await ended(verification.body.run.id)).toMatchObject({
    status: "success",
    error: [],
    usage_metadata: { replayed_steps: 24 },
  });
  expect((await ask(`/v1/trajectories/${trajectory.id}`, { key })).body).toMatchObject({
    verified_at: expect.any(String),
  });
});

it("a desk on which the demo's start is not reached leaves it to another of the pool", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const { baseUrl } = inject("stack");
  const connect = async (desk: DeskInput) => {
    const driver = await driverOf(organization, { desk });
    onTestFinished(async () => await driver.stop());
    return driver.machineId;
  };
  const [dark, light] = [await connect({ theme: "dark" }), await connect({})];
  const makeAvailable = async (is_available: boolean) =>
    await ask(`/v1/machines/${light}`, { key, method: "PATCH", body: { is_available } });
  await makeAvailable(false);
  const pool = await ask<{ id: string }>("/v1/pools", { key, body: { name: randomUUID() } });
  const machine_ids = [dark, light];
  await ask(`/v1/pools/${pool.body.id}/machines`, { key, method: "POST", body: { machine_ids } });
  const workflow_id = await seedDemo({ baseUrl, apiKey: key });
  const body = { workflow_id, ...demoInputs, pool_ids: [pool.body.id] };
  const created = await ask<{ id: string }>("/v1/runs", { key, body });
  const run = async () => await readRun(key, created.body.id);
  await until(async () => (await run()).status === "running");
  expect((await run()).machine_id).toBe(dark);
  await makeAvailable(true);
  const { status, error, machine_id } = await endOf(key, created.body.id);
  expect({ status, error, machine_id }).toEqual({ status: "success", error: [], machine_id: light });
  const listed = await ask(`/v1/runs/${created.body.id}/steps`, { key });
  const attempts = RunStepList.parse(listed.body).items.map(({ attempt, status }) => `${attempt} ${status}`);
  expect([attempts[0], attempts.at(-1)]).toEqual(["1 failed", "2 done"]);
});
