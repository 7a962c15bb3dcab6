import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CreatedRuns, Run } from "../../../shared/contract/run/run.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { clearFaults, faultsLeft, injectFault } from "../../support/stack/faults.ts";
import { ask, createOrganization, keyOf, type Organization } from "../../support/stack/stack-client.ts";
import { expireLeases, openStackTable } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

let organization: Organization;
let key: string;
let workflowId: string;

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: "Open the shop.", executor: "worker" },
  });
  workflowId = String(workflow.body.id);
});

afterEach(clearFaults);

async function newMachine(): Promise<string> {
  const answer = await ask("/v1/machines", { key, body: { fingerprint: randomUUID() } });
  return String(answer.body.id);
}

async function create(fields: object = {}): Promise<Run> {
  const answer = await ask("/v1/runs", { key, body: { workflow_id: workflowId, ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Run.parse(answer.body);
}

async function createMany(count: number, fields: object): Promise<readonly string[]> {
  const body = { workflow_id: workflowId, count, ...fields };
  const answer = await ask("/v1/runs/bulk", { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return CreatedRuns.parse(answer.body).created_runs.map(({ id }) => id);
}

const patch = (machineId: string, body: object, headers: Record<string, string> = {}) =>
  ask(`/v1/machines/${machineId}`, { method: "PATCH", key, body, headers });
const runOf = async (id: string) => Run.parse((await ask(`/v1/runs/${id}`, { key })).body);
const totalOf = async (query: string) =>
  Number((await ask<{ total: number }>(`/v1/runs?limit=1&${query}`, { key })).body.total);

describe("a reservation", () => {
  it("keeps a machine for a session, whose runs all have it", async () => {
    const machineId = await newMachine();
    const sessionId = randomUUID();
    const reserved = await patch(machineId, { reserved_session_id: sessionId });
    expect(reserved.body).toMatchObject({ reserved_session_id: sessionId });
    expect(await create({ session_id: sessionId })).toMatchObject({
      machine_id: machineId,
      status: "scheduling",
    });
    const other = await patch(machineId, { reserved_session_id: randomUUID() });
    expect([other.status, other.body.error_code]).toEqual([409, "machine_reserved"]);
    const elsewhere = await patch(await newMachine(), { reserved_session_id: sessionId });
    expect([elsewhere.status, elsewhere.body.error_code]).toEqual([409, "conflict"]);
  });

  it("that is cleared cancels hundreds of runs, of the session and of the machine, and nothing else", async () => {
    const machineId = await newMachine();
    const sessionId = randomUUID();
    await patch(machineId, { reserved_session_id: sessionId, is_available: false });
    await createMany(130, { session_id: sessionId });
    await createMany(130, { machine_id: machineId });
    const other = await create({ machine_id: await newMachine() });
    const cleared = await patch(machineId, { reserved_session_id: null, name: "free" });
    expect(cleared.status, JSON.stringify(cleared.body)).toBe(200);
    expect(cleared.body).toMatchObject({ reserved_session_id: null, is_available: true, name: "free" });
    await until(async () => (await totalOf("status=cancelled")) === 260);
    expect(await runOf(other.id)).toMatchObject({ status: "scheduling" });
    const late = await ask("/v1/runs", { key, body: { workflow_id: workflowId, session_id: sessionId } });
    expect([late.status, late.body.error_code]).toEqual([409, "session_ended"]);
    const next = await create({ machine_id: machineId });
    expect(await runOf(next.id)).toMatchObject({ status: "scheduling" });
  });

  it("whose clearing crashes anywhere is cleared by the same request once more", async () => {
    // The four transactions begin the clearing, end two pages of runs, and record the response.
    for (let skip = 0; skip < 4; skip += 1) {
      const machineId = await newMachine();
      const ids = await createMany(60, { machine_id: machineId });
      const headers = { "idempotency-key": randomUUID() };
      const clear = () => patch(machineId, { reserved_session_id: null, name: "free" }, headers);
      const fault = { functionName: "machines", operation: "TransactWriteItems" } as const;
      await injectFault({ ...fault, effect: "crash_after", skip });
      expect((await clear()).status).toBe(500);
      expect(await faultsLeft()).toEqual([]);
      const table = await openStackTable();
      await expireLeases(table, organization.organization_id);
      table.client.destroy();
      const again = await clear();
      expect(again.status, JSON.stringify(again.body)).toBe(200);
      expect(again.body).toMatchObject({ reserved_session_id: null, is_available: true, name: "free" });
      for (const id of [ids[0], ids[59]])
        expect(await runOf(id ?? "")).toMatchObject({ status: "cancelled" });
    }
  });
});

describe("what waits", () => {
  it("for a machine that is deleted ends as an error that says so", async () => {
    const machineId = await newMachine();
    const run = await create({ machine_id: machineId });
    const inSession = await create({ machine_id: machineId, start_session: true });
    expect((await ask(`/v1/machines/${machineId}`, { method: "DELETE", key })).status).toBe(204);
    for (const { id } of [run, inSession]) {
      await until(async () => (await runOf(id)).status === "error");
      expect(await runOf(id)).toMatchObject({ error: ["its machine was deleted"] });
    }
  });

  it("for machines of a pool that is deleted ends as an error that says so", async () => {
    const pool = await ask("/v1/pools", { key, body: { name: randomUUID() } });
    const run = await create({ pool_ids: [String(pool.body.id)] });
    expect((await ask(`/v1/pools/${String(pool.body.id)}`, { method: "DELETE", key })).status).toBe(204);
    await until(async () => (await runOf(run.id)).status === "error");
    expect(await runOf(run.id)).toMatchObject({ error: ["a pool that it waited for was deleted"] });
  });

  it("costs two calls to cancel or to delete, and a reservation a few to give and to clear", async () => {
    const machineId = await newMachine();
    const run = await create({ machine_id: machineId });
    const counted = async (functionName: string, work: () => Promise<unknown>) =>
      (await callsDuring(work)).counts[functionName] ?? {};
    const cancel = () => ask(`/v1/runs/${run.id}`, { method: "PATCH", key, body: { status: "cancelled" } });
    const [read, transact, query] = ["dynamodb GetItem", "dynamodb TransactWriteItems", "dynamodb Query"];
    expect(await counted("runs", cancel)).toEqual({ [read]: 1, [transact]: 1 });
    const waiting = await create({ machine_id: machineId });
    const remove = () => ask(`/v1/runs/${waiting.id}`, { method: "DELETE", key });
    expect(await counted("runs", remove)).toEqual({ [transact]: 2 });
    const reserve = (id: string | null) => patch(machineId, { reserved_session_id: id });
    expect(await counted("machines", () => reserve(randomUUID()))).toEqual({ [read]: 2, [transact]: 1 });
    expect(await counted("machines", () => reserve(null))).toEqual({
      [read]: 1,
      [transact]: 1,
      [query]: 2,
      "dynamodb UpdateItem": 2,
      "dynamodb DeleteItem": 1,
    });
    const unreserved = await newMachine();
    await createMany(50, { machine_id: unreserved });
    expect(await counted("machines", () => patch(unreserved, { reserved_session_id: null }))).toEqual({
      [read]: 1,
      [transact]: 2,
      [query]: 2,
      "dynamodb UpdateItem": 1,
    });
  });
});
