import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MachineList } from "../../../shared/contract/machine.ts";
import { CreatedRuns, RunList } from "../../../shared/contract/run/run.ts";
import { Trajectory, TrajectoryResponse } from "../../../shared/contract/trajectory/trajectory.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { made } from "../../support/stack/own-resources.ts";
import { type ApiRequest, ask, createOrganization, keyOf, sweep } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

/**
 * The calls of what is no hot path (those have calls-budget.json), on warm instances, whatever the size of the table.
 * An idempotency record's own transaction is the operation's transaction, so an Idempotency-Key adds at most one call.
 */
let key: string;
let workflowId: string;

// A sweep gives a new table its id, which is otherwise looked up with each object.
beforeAll(async () => await sweep());
beforeEach(async () => {
  key = keyOf(await createOrganization(), "full");
  workflowId = await made(key, "/v1/workflows", { main_prompt: "Open the shop.", executor: "worker" });
});

async function costs(functionName: string, path: string, request: ApiRequest = {}) {
  const { counts } = await callsDuring(async () => {
    const answer = await ask(path, { key, ...request });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  });
  return counts[functionName] ?? {};
}

const once = () => ({ headers: { "idempotency-key": randomUUID() } });
const newPool = () => made(key, "/v1/pools", { name: randomUUID() });
const newMachine = () => made(key, "/v1/machines", { fingerprint: randomUUID() });
const newRun = (machine_id: string) => made(key, "/v1/runs", { workflow_id: workflowId, machine_id });
const [get, batch, query] = ["dynamodb GetItem", "dynamodb BatchGetItem", "dynamodb Query"];
const [transact, update] = ["dynamodb TransactWriteItems", "dynamodb UpdateItem"];

// This comes first, while the function has one instance: another one would read the key again.
describe("trajectories", () => {
  const heavy = Array.from({ length: 400 }, (_, step) => ({ action: "type", text: "words", step }));
  const make = (data: unknown = [{ action: "click" }]) =>
    made(key, "/v1/trajectories", { workflow_id: workflowId, trajectory_data: data });

  it("are read with one call, and one more for data in the bucket", async () => {
    const light = `/v1/trajectories/${await make()}`;
    await ask(light, { key });
    expect(await costs("trajectories", light)).toEqual({ [get]: 1 });
    const path = `/v1/trajectories/${await make(heavy)}`;
    expect(await costs("trajectories", path)).toEqual({ [get]: 1, "s3 GetObject": 1 });
  });

  it("are listed with three, and one more for their workflows", async () => {
    await make(heavy);
    await until(async () => (await ask<{ items: [] }>("/v1/trajectories", { key })).body.items.length > 0);
    expect(await costs("trajectories", "/v1/trajectories?limit=5")).toEqual({ [query]: 2, [batch]: 1 });
    expect(await costs("trajectories", "/v1/trajectories?limit=5&include=workflow")).toEqual({
      [query]: 2,
      [batch]: 2,
    });
  });

  it("are made and changed with one, and two more for an object and its record", async () => {
    const body = (data: unknown) => ({ body: { workflow_id: workflowId, trajectory_data: data } });
    const create = (data: unknown, more = {}) =>
      costs("trajectories", "/v1/trajectories", { ...body(data), ...more });
    // The instance reads its keys and the table's id with the first of each.
    for (const data of [[1], heavy]) await create(data, once());
    expect(await create([1])).toEqual({ [transact]: 1 });
    expect(await create(heavy, once())).toEqual({
      "dynamodb PutItem": 1,
      "s3 PutObject": 1,
      [transact]: 1,
    });
    const path = `/v1/trajectories/${await make()}`;
    const patch = (fields: object) => costs("trajectories", path, { method: "PATCH", body: fields });
    expect(await patch({ name: "n" })).toEqual({ [update]: 1 });
    // The row is read first, because a change of data affects the approval and the verification.
    expect(await patch({ trajectory_data: heavy })).toEqual({ "s3 PutObject": 1, [get]: 1, [update]: 1 });
  });

  it("give back data of 4 MB as it was recorded, also a copy's", async () => {
    const data = Array.from({ length: 40_000 }, (_, step) => ({
      action: "left_click",
      coordinate: [step, step],
      text: "é".repeat(22),
    }));
    const read = await ask(`/v1/trajectories/${await make(data)}`, { key });
    const original = TrajectoryResponse.parse(read.body);
    expect(original.trajectory_data).toEqual(data);
    const copied = await ask(`/v1/trajectories/${original.id}/duplicate`, { method: "POST", key });
    const { id, created_at, updated_at, ...copy } = Trajectory.parse(copied.body);
    expect({ ...original, name: "(Copy)", id, created_at, updated_at }).toEqual({
      ...copy,
      id,
      created_at,
      updated_at,
    });
  });
});

describe("health", () => {
  it("calls nothing, and the database once for the database's", async () => {
    for (const path of ["/v1/health", "/v1/health/db"]) await ask(path);
    expect(await costs("health", "/v1/health")).toEqual({});
    expect(await costs("health", "/v1/health/db")).toEqual({ [get]: 1 });
  });
});

describe("machines", () => {
  it("are listed with four calls where there are 101: one batch for each 100", async () => {
    for (let made = 0; made < 101; made++) await newMachine();
    const list = "/v1/machines?limit=101";
    await until(async () => MachineList.parse((await ask(list, { key })).body).items.length === 101);
    expect(await costs("machines", list)).toEqual({ [query]: 2, [batch]: 2 });
  });

  it("are made and deleted with one, with an Idempotency-Key or without", async () => {
    await newMachine();
    const create = { body: { fingerprint: randomUUID() }, ...once() };
    expect(await costs("machines", "/v1/machines", create)).toEqual({ [transact]: 1 });
    for (const more of [{}, once()]) {
      const path = `/v1/machines/${await newMachine()}`;
      expect(await costs("machines", path, { method: "DELETE", ...more })).toEqual({ [transact]: 1 });
    }
  });
});

describe("workflows", () => {
  it("are read with one call, changed with one, and listed with three", async () => {
    const path = `/v1/workflows/${workflowId}`;
    await ask(path, { key });
    expect(await costs("workflows", path)).toEqual({ [get]: 1 });
    expect(await costs("workflows", path, { method: "PATCH", body: { name: "new" } })).toEqual({
      [update]: 1,
    });
    expect(await costs("workflows", "/v1/workflows")).toEqual({ [query]: 2, [batch]: 1 });
    const tag_id = await made(key, "/v1/workflow-tags", { name: randomUUID() });
    await ask(`${path}/tags`, { key, body: { tag_ids: [tag_id] } });
    const tagged = await ask(`/v1/workflows?tag_ids=${tag_id}`, { key });
    expect(tagged.body).toMatchObject({ items: [{ id: workflowId }], total: 1 });
  });
});

describe("pools", () => {
  it("cost two calls to read a machine, four to list them, and their members as often as they are many", async () => {
    const [one, other] = [await newPool(), await newPool()];
    const machine_ids = await Promise.all([newMachine(), newMachine(), newMachine()]);
    for (const id of [one, other]) await ask(`/v1/pools/${id}/machines`, { key, body: { machine_ids } });
    await ask("/v1/machines", { key });
    expect(await costs("machines", `/v1/machines/${machine_ids[0]}`)).toEqual({ [get]: 1, [batch]: 1 });
    await until(async () => MachineList.parse((await ask("/v1/machines", { key })).body).items.length === 3);
    expect(await costs("machines", "/v1/machines?include=pools")).toEqual({ [query]: 2, [batch]: 2 });
    expect(await costs("pools", `/v1/pools/${one}`)).toEqual({ [get]: 1 });
    expect(await costs("pools", `/v1/pools/${one}?include=machines`)).toEqual({
      [get]: 1,
      [query]: 1,
      [batch]: 2,
    });
    const gone = { method: "DELETE", body: { machine_ids: [machine_ids[1]] } };
    expect(await costs("pools", `/v1/pools/${one}/machines`, gone)).toEqual({ [batch]: 1, [transact]: 1 });
    expect((await ask(`/v1/machines/${machine_ids[0]}`, { method: "DELETE", key })).status).toBe(204);
    const count = async () => (await ask(`/v1/pools/${one}`, { key })).body.machine_count;
    await expect.poll(count).toBe(1);
  });

  it("are written by one transaction or conditional write, and read before where the answer needs it", async () => {
    const secret = { pool_sensitive_parameters: { pin: "a-secret-value" } };
    const id = await made(key, "/v1/pools", { name: randomUUID(), ...secret });
    const machineId = await newMachine();
    const path = `/v1/pools/${id}`;
    const create = (more = {}) => costs("pools", "/v1/pools", { body: { name: randomUUID() }, ...more });
    expect(await create()).toEqual({ [transact]: 1 });
    expect(await create(once())).toEqual({ [transact]: 1 });
    const change = (body: unknown, more = {}) => costs("pools", path, { method: "PATCH", body, ...more });
    expect(await change({ description: "a" })).toEqual({ [update]: 1 });
    expect(await change({ description: "b" }, once())).toEqual({ [get]: 1, [transact]: 1 });
    expect(await change({ name: randomUUID() })).toEqual({ [get]: 1, [transact]: 1 });
    const leave = { method: "DELETE", body: { machine_ids: [machineId] } };
    expect(await costs("pools", `${path}/machines`, leave)).toEqual({ [batch]: 1, [transact]: 1 });
    const replace = { method: "PUT", body: { pool_ids: [id] } };
    await costs("machines", `/v1/machines/${machineId}/pools`, replace);
    expect(await costs("machines", `/v1/machines/${machineId}/pools`, replace)).toEqual({
      [get]: 2,
      [batch]: 2,
      [transact]: 1,
    });
    const none = { key, method: "PUT", body: { pool_ids: [] } };
    expect((await ask(`/v1/machines/${machineId}/pools`, none)).body).toMatchObject({ pools: [] });
    expect(await costs("pools", path, { method: "DELETE" })).toEqual({ [transact]: 1 });
  });
});

describe("runs", () => {
  it("are made a thousand at a time with one transaction for each 45, once under one Idempotency-Key", async () => {
    const body = { workflow_id: workflowId, count: 1_000, sensitive_input_values: { pin: "a-secret-value" } };
    const request = { key, body, ...once() };
    const { counts, result: first } = await callsDuring(async () => await ask("/v1/runs/bulk", request));
    // One that meets another write is repeated.
    expect(counts.runs?.[transact]).toBeLessThanOrEqual(25);
    expect(CreatedRuns.parse(first.body).created_runs).toHaveLength(1_000);
    const repeat = await ask("/v1/runs/bulk", request);
    expect([repeat.headers.get("idempotency-status"), repeat.body]).toEqual(["replayed", first.body]);
    expect((await ask("/v1/runs?limit=1", { key })).body.total).toBe(1_000);
  });

  it("cost a read and a transaction to make, three calls to see while they wait, six to list with all that is related", async () => {
    const [pool, machine_id] = [await newPool(), await newMachine()];
    await ask(`/v1/pools/${pool}/machines`, { key, body: { machine_ids: [machine_id] } });
    const path = `/v1/runs/${await newRun(machine_id)}`;
    const body = { workflow_id: workflowId, machine_id };
    expect(await costs("runs", "/v1/runs", { body })).toEqual({ [batch]: 1, [transact]: 1 });
    // The first request of a key reads the key.
    await ask(path, { key });
    expect(await costs("following", path)).toEqual({ [get]: 2, [query]: 1 });
    const change = (fields: object) => costs("runs", path, { method: "PATCH", body: fields });
    expect(await change({ error: ["x"] })).toEqual({ [update]: 1 });
    const related = "/v1/runs?include=workflow,machine,machine.pools";
    const list = async () => RunList.parse((await ask(related, { key })).body);
    await until(async () => (await list()).items.length === 2);
    expect(await costs("runs", related)).toEqual({ [query]: 2, [batch]: 4 });
    expect((await list()).included?.map(({ type }) => type)).toEqual(["workflow", "machine", "pool"]);
    expect(await change({ status: "cancelled" })).toEqual({ [get]: 1, [transact]: 1 });
    const retry = await costs("runs", `${path}/retry`, { body: {} });
    expect(retry).toEqual({ [get]: 1, [batch]: 1, [transact]: 1 });
    // The first transaction fails, which shows that the run waits.
    expect(await costs("runs", path, { method: "DELETE" })).toEqual({ [transact]: 2 });
  });

  it("cost a reservation a few calls to give and to clear", async () => {
    const reserve = (id: string, session: string | null) =>
      costs("machines", `/v1/machines/${id}`, { method: "PATCH", body: { reserved_session_id: session } });
    const machineId = await newMachine();
    await newRun(machineId);
    expect(await reserve(machineId, randomUUID())).toEqual({ [get]: 2, [transact]: 1 });
    expect(await reserve(machineId, null)).toEqual({
      [get]: 1,
      [transact]: 2,
      [query]: 2,
      [update]: 2,
      "dynamodb DeleteItem": 1,
    });
    const unreserved = await newMachine();
    await ask("/v1/runs/bulk", { key, body: { workflow_id: workflowId, machine_id: unreserved, count: 50 } });
    expect(await reserve(unreserved, null)).toEqual({ [get]: 1, [transact]: 2, [query]: 2, [update]: 1 });
    const session_id = randomUUID();
    await reserve(unreserved, session_id);
    const id = await made(key, "/v1/runs", { workflow_id: workflowId, session_id });
    await reserve(unreserved, null);
    expect((await ask(`/v1/runs/${id}`, { key })).body.status).toBe("cancelled");
  });
});
