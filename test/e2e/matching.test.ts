import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { Machine } from "../../shared/contract/machine.ts";
import { CreatedChain } from "../../shared/contract/run/chain.ts";
import { Run, RunResponse } from "../../shared/contract/run/run.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import type { SpawnedDriver } from "../support/stack/spawn-driver.ts";
import {
  ask,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

let organization: Organization;
let key: string;
let workflowId: string;
const drivers: SpawnedDriver[] = [];
const peers: FakePeer[] = [];

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: "Open the shop.", executor: "worker" },
  });
  workflowId = String(workflow.body.id);
});

afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
  await Promise.all(drivers.splice(0).map((driver) => driver.stop()));
});

async function connectDriver(): Promise<string> {
  const driver = await driverOf(organization);
  drivers.push(driver);
  return driver.machineId;
}

/** A machine that connects and says nothing more: enough to be given runs. */
async function connectPeer(): Promise<string> {
  const fingerprint = randomUUID();
  const machine = await ask("/v1/machines", { key, body: { fingerprint } });
  const id = String(machine.body.id);
  await reconnect(id, fingerprint);
  return id;
}

async function reconnect(machineId: string, fingerprint: string): Promise<void> {
  const peer = await FakePeer.connect({
    url: inject("stack").websocketUrl,
    authorization: `Bearer ${keyOf(organization, "driver")}`,
    fingerprint,
  });
  peers.push(peer);
  await peer.next("welcome");
  expect((await machineOf(machineId)).status).toBe("connected");
}

async function machineOf(machineId: string): Promise<Machine> {
  return Machine.parse((await ask(`/v1/machines/${machineId}`, { key })).body);
}

async function create(fields: object = {}): Promise<Run> {
  const answer = await ask("/v1/runs", { key, body: { workflow_id: workflowId, ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Run.parse(answer.body);
}

async function runOf(runId: string): Promise<RunResponse> {
  return RunResponse.parse((await ask(`/v1/runs/${runId}`, { key })).body);
}

async function reaching(runId: string, status: Run["status"]): Promise<RunResponse> {
  await until(async () => (await runOf(runId)).status === status);
  const run = await runOf(runId);
  expect(run.status, JSON.stringify(run)).toBe(status);
  return run;
}

async function end(runId: string, fields: object = { status: "success" }): Promise<void> {
  const { assignment_id } = await runOf(runId);
  const body = { ...fields, assignment_id };
  const answer = await ask(`/v1/runs/${runId}`, {
    method: "PATCH",
    key,
    body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

describe("runs find machines", () => {
  it("at once where one is connected; the next one when that run has ended", async () => {
    const machineId = await connectDriver();
    const first = await create({ input_values: { customer: "Miller" } });
    const running = await reaching(first.id, "running");
    expect(running).toMatchObject({ machine_id: machineId, started_at: expect.any(String) });
    expect(running.assignment_id).toEqual(expect.any(String));
    const [second, third] = [await create(), await create()];
    expect((await runOf(second.id)).status).toBe("scheduling");
    await end(first.id);
    expect((await reaching(second.id, "running")).machine_id).toBe(machineId);
    expect((await runOf(third.id)).status).toBe("scheduling");
    await end(second.id, { status: "error", error: ["the shop is closed"] });
    await reaching(third.id, "running");
  });

  it("when one connects later, is switched on, or joins the pool that they ask for", async () => {
    const run = await create();
    expect(run.status).toBe("scheduling");
    const machineId = await connectPeer();
    expect((await reaching(run.id, "running")).machine_id).toBe(machineId);

    const switched = (isAvailable: boolean) =>
      ask(`/v1/machines/${machineId}`, { method: "PATCH", key, body: { is_available: isAvailable } });
    await switched(false);
    await end(run.id);
    const waiting = await create();
    const pool = await ask("/v1/pools", { key, body: { name: randomUUID() } });
    const inPool = await create({ pool_ids: [String(pool.body.id)] });
    await switched(true);
    await reaching(waiting.id, "running");
    await end(waiting.id);
    expect((await runOf(inPool.id)).status).toBe("scheduling");
    const body = { machine_ids: [machineId] };
    await ask(`/v1/pools/${String(pool.body.id)}/machines`, { key, body });
    expect((await reaching(inPool.id, "running")).machine_id).toBe(machineId);
  });
});

describe("a chain", () => {
  const chain = async (steps: readonly object[], fields: object = {}) => {
    const body = { steps: steps.map((step) => ({ workflow_id: workflowId, ...step })), ...fields };
    const answer = await ask("/v1/runs/chain", { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return CreatedChain.parse(answer.body).run_ids;
  };

  it("goes step by step on one machine, each with what earlier ones put out", async () => {
    const machineId = await connectPeer();
    const [first = "", second = ""] = await chain([
      { session_alias: "ask" },
      { inputs: { name: { $ref: "ask.outputs.customers.0.name" } } },
    ]);
    await reaching(first, "running");
    expect((await runOf(second)).status).toBe("scheduling");
    // Larger than what a row keeps, so that it lies in the bucket.
    const output_data = { customers: [{ name: "Miller" }], page: "x".repeat(20_000) };
    await end(first, { status: "success", output_data });
    expect(await reaching(second, "running")).toMatchObject({
      machine_id: machineId,
      input_values: { name: "Miller" },
    });
    await end(second);
    await until(async () => (await machineOf(machineId)).reserved_session_id === null);
    const run = await create();
    await reaching(run.id, "running");
  });
});
