import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CreatedChain } from "../../../shared/contract/run/chain.ts";
import { CreatedRuns, Run, RunList, RunResponse } from "../../../shared/contract/run/run.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { clearFaults, faultsLeft, injectFault } from "../../support/stack/faults.ts";
import { ask, createOrganization, keyOf, type Organization } from "../../support/stack/stack-client.ts";
import { expireLeases, openStackTable, rowsOf, type StackTable } from "../../support/stack/storage.ts";
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

/** The rows with sensitive values of runs, one per request. */
async function secretRows(): Promise<readonly unknown[]> {
  return await withTable((table) => rowsOf(table, organization.organization_id, "run_secret"));
}

async function withTable<T>(work: (table: StackTable) => Promise<T>): Promise<T> {
  const table = await openStackTable();
  try {
    return await work(table);
  } finally {
    table.client.destroy();
  }
}

/** The fields of a waiting run where there is no machine. */
const waiting = { waiting_reason: "no_machine_matches", queue_position: 0 };

async function create(fields: object = {}): Promise<Run> {
  const answer = await ask("/v1/runs", { key, body: { workflow_id: workflowId, ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Run.parse(answer.body);
}

async function list(query = ""): Promise<RunList> {
  return RunList.parse((await ask(`/v1/runs${query}`, { key })).body);
}

describe("runs", () => {
  it("are made, read, searched, changed and ended", async () => {
    const made = await create({ input_values: { customer: "Miller" }, start_session: true });
    expect(RunResponse.parse((await ask(`/v1/runs/${made.id}`, { key })).body)).toEqual({
      ...made,
      ...waiting,
    });
    await create();
    await until(async () => (await list("?search=miller")).total === 1);
    expect((await list()).total).toBe(2);
    const output = { text: "x".repeat(20_000) };
    const body = { status: "error", error: ["no machine"], output_data: output };
    const ended = await ask(`/v1/runs/${made.id}`, { method: "PATCH", key, body });
    expect(ended.body).toMatchObject({ ...body, ended_at: expect.any(String) });
    await until(async () => (await list("?status=error&fields=output_data")).items.length === 1);
    expect((await list("?status=error&fields=output_data")).items[0]?.output_data).toEqual(output);
  });

  it("leave nothing behind when they are deleted: attachments, files, output, secret", async () => {
    const made = await create({
      sensitive_input_values: { pin: "a-secret-value" },
      file_inputs: [{ filename: "a.txt", content: "YWJj" }],
    });
    const [attachment] = made.input_attachment_ids;
    const path = `/v1/run-attachments/${attachment}`;
    const link = await ask<{ url: string }>(`${path}/download-url`, { key });
    expect(await (await fetch(link.body.url)).text()).toBe("abc");
    expect(await secretRows()).toHaveLength(1);
    expect((await ask(`/v1/runs/${made.id}`, { method: "DELETE", key })).status).toBe(204);
    expect((await ask(`/v1/runs/${made.id}`, { key })).status).toBe(404);
    await until(async () => (await ask(path, { key })).status === 404);
    await until(async () => (await fetch(link.body.url)).status === 404);
    await until(async () => (await secretRows()).length === 0);
    expect((await ask<{ total: number }>("/v1/run-attachments", { key })).body.total).toBe(0);
  });

  it("keep the total right through creations and deletions at once", async () => {
    const ids = (await Promise.all(Array.from({ length: 10 }, () => create()))).map(({ id }) => id);
    await Promise.all([
      ...ids.slice(0, 6).map((id) => ask(`/v1/runs/${id}`, { method: "DELETE", key })),
      ...Array.from({ length: 4 }, () => create()),
    ]);
    expect((await list()).total).toBe(8);
  });

  it("are made once under one Idempotency-Key, however often at once", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { workflow_id: workflowId, sensitive_input_values: { pin: "a-secret-value" } };
    await Promise.all([0, 1, 2].map(() => ask("/v1/runs", { key, body, headers })));
    const repeat = await ask("/v1/runs", { key, body, headers });
    expect([repeat.status, repeat.headers.get("idempotency-status")]).toEqual([201, "replayed"]);
    expect((await list()).total).toBe(1);
    expect(await secretRows()).toHaveLength(1);
  });

  it("are done again under their ids, once under one Idempotency-Key, and leave nothing of before", async () => {
    const sensitive = { sensitive_input_values: { pin: "a-secret-value" } };
    const made = await create({ ...sensitive, file_inputs: [{ filename: "a.txt", content: "YWJj" }] });
    const ended = { status: "error", error: ["x"], output_data: { text: "x".repeat(20_000) } };
    expect((await ask(`/v1/runs/${made.id}/retry`, { key, body: {} })).status).toBe(409);
    await ask(`/v1/runs/${made.id}`, { method: "PATCH", key, body: ended });
    const body = { ...sensitive, file_inputs: [{ filename: "b.txt", content: "ZGVm" }] };
    const headers = { "idempotency-key": randomUUID() };
    const retry = () => ask(`/v1/runs/${made.id}/retry`, { key, body, headers });
    const again = await retry();
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    const run = Run.parse(again.body);
    expect(run).toMatchObject({ id: made.id, status: "scheduling", output_data: null, error: [] });
    const repeat = await retry();
    expect([repeat.body, repeat.headers.get("idempotency-status")]).toEqual([again.body, "replayed"]);
    expect(RunResponse.parse((await ask(`/v1/runs/${made.id}`, { key })).body)).toEqual({
      ...run,
      ...waiting,
    });
    await until(async () => (await secretRows()).length === 1);
    expect(await secretRows()).toHaveLength(1);
    const [replaced, file] = [made.input_attachment_ids[0], run.input_attachment_ids[0]];
    expect((await ask(`/v1/run-attachments/${replaced}`, { key })).status).toBe(404);
    const content = await ask(`/v1/run-attachments/${file}/download`, { key });
    expect(new TextDecoder().decode(content.bytes)).toBe("def");
    await until(async () => (await list("?status=scheduling")).total === 1);
    expect((await ask<{ total: number }>("/v1/run-attachments", { key })).body.total).toBe(1);
  });

  it("are made a thousand at a time, well within what a call may take, once under one Idempotency-Key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { workflow_id: workflowId, count: 1_000, sensitive_input_values: { pin: "a-secret-value" } };
    const bulk = () => ask("/v1/runs/bulk", { key, body, headers });
    const began = performance.now();
    const answer = await bulk();
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { created_runs, failed_count, errors } = CreatedRuns.parse(answer.body);
    expect([created_runs.length, failed_count, errors]).toEqual([1_000, 0, []]);
    expect((await list("?limit=1")).total).toBe(1_000);
    expect(await secretRows()).toHaveLength(1);
    const repeat = await bulk();
    expect([repeat.headers.get("idempotency-status"), repeat.body]).toEqual(["replayed", answer.body]);
    expect((await list("?limit=1")).total).toBe(1_000);
  });

  it("of a bulk whose worker crashed between two parts come about once each when it is asked for again", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const file_inputs = [{ filename: "a.txt", content: "YWJj" }];
    const body = { workflow_id: workflowId, count: 100, start_session: true, file_inputs };
    const bulk = () => ask("/v1/runs/bulk", { key, body, headers });
    await injectFault({
      functionName: "runs",
      operation: "TransactWriteItems",
      effect: "crash_after",
      skip: 1,
    });
    expect((await bulk()).status).toBe(500);
    expect(await faultsLeft()).toEqual([]);
    const half = (await list("?limit=1")).total;
    expect([half > 0, half < 100]).toEqual([true, true]);
    await withTable((table) => expireLeases(table, organization.organization_id));
    const again = await bulk();
    expect(again.status, JSON.stringify(again.body)).toBe(201);
    const { created_runs } = CreatedRuns.parse(again.body);
    expect(created_runs).toHaveLength(100);
    expect((await list("?limit=1")).total).toBe(100);
    expect((await ask<{ total: number }>("/v1/run-attachments?limit=1", { key })).body.total).toBe(100);
    const { omitted_fields = [], ...first } = created_runs[0] ?? {};
    const { body: whole } = await ask<Record<string, unknown>>(`/v1/runs/${created_runs[0]?.id}`, { key });
    const omitted = new Set<string>(omitted_fields);
    const given = Object.entries(whole).filter(([field]) => !omitted.has(field));
    expect(Object.fromEntries(given)).toMatchObject(
      Object.fromEntries(Object.entries(first).filter(([field]) => !omitted.has(field))),
    );
  });

  it("of a chain come about in order in one transaction, with forty workflows, and once under one key", async () => {
    const workflows: { body: Record<string, unknown> }[] = [];
    // Only a few run at a time, because each needs a worker of its own.
    for (let made = 0; made < 40; made += 4) {
      const some = Array.from({ length: 4 }, () =>
        ask("/v1/workflows", { key, body: { main_prompt: "Do a step.", executor: "worker" } }),
      );
      workflows.push(...(await Promise.all(some)));
    }
    const steps = workflows.map(({ body }, place) => ({
      workflow_id: String(body.id),
      session_alias: `step_${place}`,
      ...(place === 0 ? {} : { inputs: { before: { $ref: `step_${place - 1}.outputs` } } }),
      sensitive_inputs: { pin: `secret ${place}` },
    }));
    const headers = { "idempotency-key": randomUUID() };
    const file = { filename: "a.txt", content: "YWJj" };
    const body = { steps, shared_file_inputs: [file, file, file, file] };
    const chain = () => ask("/v1/runs/chain", { key, body, headers });
    const answer = await chain();
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { session_id, run_ids } = CreatedChain.parse(answer.body);
    const last = Run.parse((await ask(`/v1/runs/${run_ids[39]}`, { key })).body);
    expect(last).toMatchObject({ session_id, session_alias: "step_39", release_session_after: true });
    expect(last.input_values).toEqual({ before: { $ref: "step_38.outputs" } });
    expect((await chain()).body).toEqual(answer.body);
    expect((await list("?limit=1")).total).toBe(40);
    expect(await secretRows()).toHaveLength(1);
    const missing = {
      steps: [...steps.slice(1), { workflow_id: randomUUID() }].map(({ workflow_id }) => ({ workflow_id })),
    };
    expect((await ask("/v1/runs/chain", { key, body: missing })).status).toBe(404);
    expect((await list("?limit=1")).total).toBe(40);
  });

  it("cost a read and a transaction to make, three calls to see while they wait, six to list with all that is related", async () => {
    const pool = await ask("/v1/pools", { key, body: { name: randomUUID() } });
    const machine = await ask("/v1/machines", { key, body: { fingerprint: randomUUID() } });
    const machine_id = String(machine.body.id);
    await ask(`/v1/pools/${String(pool.body.id)}/machines`, { key, body: { machine_ids: [machine_id] } });
    const { id } = await create({ machine_id });
    const counted = async (work: () => Promise<unknown>) => (await callsDuring(work)).counts.runs ?? {};
    expect(await counted(() => create({ machine_id }))).toEqual({
      "dynamodb BatchGetItem": 1,
      "dynamodb TransactWriteItems": 1,
    });
    const seen = { "dynamodb GetItem": 2, "dynamodb Query": 1 };
    expect(await counted(() => ask(`/v1/runs/${id}`, { key }))).toEqual(seen);
    const change = { method: "PATCH", key, body: { error: ["x"] } };
    expect(await counted(() => ask(`/v1/runs/${id}`, change))).toEqual({ "dynamodb UpdateItem": 1 });
    await until(async () => (await list()).items.length === 2);
    const related = "?include=workflow,machine,machine.pools";
    expect(await counted(() => list(related))).toEqual({ "dynamodb Query": 2, "dynamodb BatchGetItem": 4 });
    const types = ({ included = [] }: RunList) => included.map(({ type }) => type);
    expect(types(await list(related))).toEqual(["workflow", "machine", "pool"]);
    await ask(`/v1/runs/${id}`, { method: "PATCH", key, body: { status: "cancelled" } });
    expect(await counted(() => ask(`/v1/runs/${id}/retry`, { key, body: {} }))).toEqual({
      "dynamodb GetItem": 1,
      "dynamodb BatchGetItem": 1,
      "dynamodb TransactWriteItems": 1,
    });
    const deletion = () => ask(`/v1/runs/${id}`, { method: "DELETE", key });
    // The first transaction fails, which shows that the run waits.
    expect(await counted(deletion)).toEqual({ "dynamodb TransactWriteItems": 2 });
  });
});
