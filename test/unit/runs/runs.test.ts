import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it, vi } from "vitest";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { CreatedRuns, RunInputs, RunList, RunResponse } from "../../../shared/contract/run/run.ts";
import { runSecretKey } from "../../../shared/storage/table/keys.ts";
import { aMachine, anOrganization, aPool } from "../../support/builders/entities.ts";
import { secretRows, setUpRuns } from "./run-service.ts";

const run = async (response: Response) => RunResponse.parse(await response.json());
const code = async (response: Response) => [
  response.status,
  ErrorBody.parse(await response.json()).error_code,
];
const problems = async (response: Response) => {
  expect(response.status).toBe(422);
  return ValidationErrorBody.parse(await response.json()).detail.map(({ loc, type }) => [
    loc.join("."),
    type,
  ]);
};

describe("POST /v1/runs", () => {
  it("makes a run that waits, with every field", async () => {
    const { create, workflow, organizationId } = await setUpRuns();
    const response = await create({ input_values: { name: "x" } });
    expect(response.status).toBe(201);
    expect(await run(response)).toEqual({
      id: expect.any(String),
      workflow_id: workflow.id,
      machine_id: null,
      status: "scheduling",
      held: null,
      is_priority: false,
      metadata: {},
      user_id: expect.any(String),
      organization_id: organizationId,
      input_values: { name: "x" },
      sensitive_input_aliases: {},
      output_data: null,
      error: [],
      error_code: null,
      executor: "worker",
      main_prompt: null,
      model_metadata: null,
      model_configuration_id: null,
      main_agent_model_id: null,
      fallback_model_configuration_ids: null,
      fallback_model_1_id: null,
      fallback_model_2_id: null,
      trajectory_id: null,
      schedule_id: null,
      dry_run_until: null,
      pool_ids: [],
      assignment_id: null,
      session_id: null,
      session_alias: null,
      release_session_after: false,
      input_attachment_ids: [],
      output_attachment_ids: [],
      run_message_history: null,
      usage_metadata: null,
      created_at: expect.any(String),
      started_at: null,
      ended_at: null,
      revision: 1,
      waiting_reason: null,
      queue_position: null,
      progress: null,
    });
  });

  it("answers 404 for a workflow, machine, pool or session that is not there, and leaves nothing behind", async () => {
    const { create, ask, stores } = await setUpRuns();
    const file = { filename: "a.txt", content: "YQ==" };
    for (const fields of [
      { workflow_id: v7() },
      { machine_id: v7() },
      { pool_ids: [v7()] },
      { session_id: v7() },
    ]) {
      const response = await create({ ...fields, sensitive_input_values: { pin: "1" }, file_inputs: [file] });
      expect(await code(response)).toEqual([404, "not_found"]);
    }
    expect(secretRows(stores)).toEqual([]);
    expect(stores.files.keys()).toEqual([]);
    expect(RunList.parse(await (await ask("GET", "/v1/runs")).json()).total).toBe(0);
  });

  it("takes a machine or pools, not both", async () => {
    const { create, putMachine, putPool } = await setUpRuns();
    const { id: machine_id } = await putMachine();
    const { id: pool } = await putPool();
    expect(await run(await create({ machine_id }))).toMatchObject({ machine_id, pool_ids: [] });
    expect(await run(await create({ pool_ids: [pool, pool] }))).toMatchObject({ pool_ids: [pool] });
    expect(await problems(await create({ machine_id, pool_ids: [pool] }))).toEqual([
      ["body.pool_ids", "value_error"],
    ]);
  });

  it("starts a session, and takes another run into it, not both in one", async () => {
    const { create } = await setUpRuns();
    const first = await run(await create({ start_session: true, session_alias: "login" }));
    expect(first.session_id).toEqual(expect.any(String));
    expect(first.session_alias).toBe("login");
    const { session_id } = first;
    expect(await run(await create({ session_id }))).toMatchObject({ session_id });
    expect(await problems(await create({ session_id, start_session: true }))).toEqual([
      ["body.start_session", "value_error"],
    ]);
  });

  it("keeps a session's runs on the session's machine", async () => {
    const { create, putMachine } = await setUpRuns();
    const { id: machine_id } = await putMachine();
    const { session_id } = await run(await create({ start_session: true, machine_id }));
    expect(await run(await create({ session_id }))).toMatchObject({ machine_id });
    const elsewhere = await create({ session_id, machine_id: (await putMachine()).id });
    expect(await code(elsewhere)).toEqual([409, "conflict"]);
    const { session_id: anywhere } = await run(await create({ start_session: true }));
    expect(await code(await create({ session_id: anywhere, machine_id }))).toEqual([409, "conflict"]);
  });

  it("answers 409 for a session that has ended", async () => {
    const { create, stores, organizationId } = await setUpRuns();
    const session = await stores.put.session({ organizationId, status: "ended" });
    expect(await code(await create({ session_id: session.id }))).toEqual([409, "session_ended"]);
  });

  it("keeps sensitive values encrypted, and answers and logs their aliases only", async () => {
    const { create, stores, log, organizationId } = await setUpRuns();
    const response = await create({ sensitive_input_values: { password: "hunter2-hunter2" } });
    const text = await response.text();
    const made = RunResponse.parse(JSON.parse(text));
    expect(made.sensitive_input_aliases).toEqual({ password: "password" });
    expect(text + log.text()).not.toContain("hunter2");
    const stored = await stores.runs.find(organizationId, made.id);
    expect(stored && (await stores.runs.readSecret(stored))).toEqual({ password: "hunter2-hunter2" });
  });

  it("attaches the files it brings", async () => {
    const { create, stores, ask } = await setUpRuns();
    const files = [
      { filename: "a.txt", content: "YWJj", target_path: "C:\\in\\a.txt", cleanup_imports_after_run: true },
      { filename: "b.txt", content: "" },
    ];
    const made = await run(await create({ file_inputs: files }));
    expect(made.input_attachment_ids).toHaveLength(2);
    const [first] = made.input_attachment_ids;
    expect(await (await ask("GET", `/v1/run-attachments/${first}`)).json()).toMatchObject({
      run_id: made.id,
      attachment_type: "input",
      filename: "a.txt",
      size_bytes: 3,
      target_path: "C:\\in\\a.txt",
      cleanup_imports_after_run: true,
    });
    expect(await (await ask("GET", `/v1/run-attachments/${first}/download`)).text()).toBe("abc");
    expect(stores.files.keys()).toHaveLength(2);
  });

  const kb = 1_024;
  const bytes = (size: number) => Buffer.alloc(size).toString("base64");
  const file = (content: string, filename = "f") => ({ filename, content });
  it.each([
    ["input_values", { a: "x".repeat(64 * kb - 8) }, { a: "x".repeat(64 * kb - 7) }, "value_error"],
    ["sensitive_input_values", { a: "x".repeat(64 * kb - 8) }, { a: "x".repeat(64 * kb - 7) }, "value_error"],

    [
      "file_inputs",
      [file(bytes(4 * kb * kb))],
      [file(bytes(4 * kb * kb - 1)), file(bytes(2))],
      "value_error",
    ],
  ])("takes %s up to its bound and no further", async (place, longest, tooLong, type) => {
    const { create } = await setUpRuns();
    const [name = ""] = place.split(".");
    expect((await create({ [name]: longest })).status).toBe(201);
    expect(await problems(await create({ [name]: tooLong }))).toEqual([[`body.${place}`, type]]);
  });
});

describe("GET /v1/runs/{run_id}", () => {
  it("says of a run that waits why it does, and behind how many; of no other, and lists name what they lack", async () => {
    const { ask, create, putRun } = await setUpRuns();
    const [first, second] = [await run(await create()), await run(await create())];
    expect([first.waiting_reason, first.queue_position]).toEqual([null, null]);
    expect(await run(await ask("GET", `/v1/runs/${second.id}`))).toMatchObject({
      waiting_reason: "no_machine_matches",
      queue_position: 1,
    });
    const { id } = await putRun({ status: "running", executor: "service", assignmentId: randomUUID() });
    expect(await run(await ask("GET", `/v1/runs/${id}`))).toMatchObject({
      waiting_reason: null,
      queue_position: null,
    });
    const worked = await putRun({ status: "running", executor: "worker", assignmentId: randomUUID() });
    const ended = await putRun({ status: "success", executor: "service" });
    const { items } = RunList.parse(await (await ask("GET", "/v1/runs")).json());
    const omittedOf = (id: string) => items.find((item) => item.id === id)?.omitted_fields;
    const history = "run_message_history";
    expect(omittedOf(first.id)).toEqual([history, "waiting_reason", "queue_position"]);
    expect(omittedOf(id)).toEqual([history, "progress"]);
    expect([worked, ended].map((each) => omittedOf(each.id))).toEqual([[history], [history]]);
    for (const item of items) {
      expect(item).toMatchObject({ waiting_reason: null, queue_position: null, progress: null });
    }
  });

  it("waits before all that have no priority, alone or as one of many", async () => {
    const { ask, create, workflow } = await setUpRuns();
    const [plain, urgent] = [await run(await create()), await run(await create({ is_priority: true }))];
    const body = { workflow_id: workflow.id, count: 2, is_priority: true };
    const { created_runs } = CreatedRuns.parse(await (await ask("POST", "/v1/runs/bulk", body)).json());
    const position = async ({ id }: { readonly id: string }) =>
      (await run(await ask("GET", `/v1/runs/${id}`))).queue_position;
    const positions: unknown[] = [];
    for (const each of [urgent, ...created_runs, plain]) positions.push(await position(each));
    expect(positions).toEqual([0, 1, 2, 3]);
    expect([plain, urgent, ...created_runs].map((each) => each.is_priority)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("counts no further than 1,000 ahead", async () => {
    const { ask, create, putRun } = await setUpRuns();
    for (let index = 0; index < 1_000; index += 1) await putRun({ queuedAt: "2020-01-01T00:00:00.000Z" });
    const last = await run(await create());
    const { id } = await putRun({ queuedAt: new Date(Date.parse(last.created_at) + 1).toISOString() });
    expect((await run(await ask("GET", `/v1/runs/${last.id}`))).queue_position).toBe(1_000);
    expect((await run(await ask("GET", `/v1/runs/${id}`))).queue_position).toBe("1000+");
  });

  it("carries what is included, each once, and the run's own ids as they are", async () => {
    const { ask, putRun, putMachine, putPool, workflow } = await setUpRuns();
    const pool = await putPool();
    const machine = await putMachine({ poolIds: [pool.id] });
    const { id } = await putRun({ workflowId: workflow.id, machineId: machine.id });
    const get = async (include: string) => run(await ask("GET", `/v1/runs/${id}?include=${include}`));
    const kinds = async (include: string) =>
      (await get(include)).included?.map((one) => `${one.type} ${one.id}`);
    expect(await kinds("workflow")).toEqual([`workflow ${workflow.id}`]);
    expect(await kinds("machine")).toEqual([`machine ${machine.id}`]);
    expect(await kinds("workflow,machine,machine.pools")).toEqual([
      `workflow ${workflow.id}`,
      `machine ${machine.id}`,
      `pool ${pool.id}`,
    ]);
    expect((await get("machine")).machine_id).toBe(machine.id);
    expect(await run(await ask("GET", `/v1/runs/${id}`))).not.toHaveProperty("included");
    expect(await problems(await ask("GET", `/v1/runs/${id}?include=pools`))).toEqual([
      ["query.include.0", "enum"],
    ]);
  });

  it("leaves out what is included but deleted", async () => {
    const { ask, putRun } = await setUpRuns();
    const { id } = await putRun({ machineId: v7() });
    const { included } = await run(await ask("GET", `/v1/runs/${id}?include=workflow,machine`));
    expect(included).toEqual([]);
  });
});

describe("GET /v1/runs", () => {
  it("searches all that a run has where it is asked to, of at most 500 runs", async () => {
    const { ask, putRun, stores, organizationId } = await setUpRuns();
    const object = async (key: string, value: unknown) => {
      const body = new TextEncoder().encode(JSON.stringify(value));
      await stores.files.put(key, body, "application/json");
      return { kind: "object", key, bytes: body.length, head: "" } as const;
    };
    const runs = [
      await putRun({ runMessageHistory: { kind: "inline", value: ["a Needle"] } }),
      await putRun({ outputData: await object("spill/output", { text: "needle" }) }),
      await putRun({ runMessageHistory: await object("spill/history", ["NEEDLE"]) }),
      await putRun({ sessionAlias: "needle" }),
      await putRun({ inputValues: { a: "needle" }, status: "running", assignmentId: randomUUID() }),
    ];
    await putRun({ runMessageHistory: await object("spill/other", ["hay"]) });
    const found = async (query: string) => {
      const { items, total } = RunList.parse(await (await ask("GET", `/v1/runs?${query}`)).json());
      return [items.map(({ id }) => runs.findIndex((each) => each.id === id)), total];
    };
    expect(await found("search=needle")).toEqual([[4, 3], 2]);
    expect(await found("search=needle&deep_search=false")).toEqual([[4, 3], 2]);
    expect(await found("search=needle&deep_search=true")).toEqual([[4, 3, 2, 1, 0], 5]);
    expect(await found("search=needle&deep_search=true&skip=1&limit=2")).toEqual([[3, 2], 5]);
    expect(await found("search=needle&deep_search=true&status=running")).toEqual([[4], 1]);
    expect(await found("search=hay&deep_search=true")).toEqual([[-1], 1]);
    expect(await found("search=absent&deep_search=true")).toEqual([[], 0]);
    const { id } = await putRun({
      runMessageHistory: { kind: "object", key: "gone", bytes: 100 * 1_048_576, head: "" },
    });
    expect(await code(await ask("GET", "/v1/runs?search=x&deep_search=true"))).toEqual([
      422,
      "search_too_broad",
    ]);
    await stores.runs.markDeleted(organizationId, id, "2026-01-15T12:00:00.000Z");
    for (let count = 6; count <= 500; count += 1) await putRun();
    expect(await code(await ask("GET", "/v1/runs?search=x&deep_search=true"))).toEqual([
      422,
      "search_too_broad",
    ]);
    expect((await ask("GET", "/v1/runs?deep_search=true")).status).toBe(200);
  });

  it("says which fields its items lack, and has small outputs as long as they fit", async () => {
    const { ask, putRun } = await setUpRuns();
    const second = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 1_000).toISOString();
    const large = { kind: "object", key: "spill/large", bytes: 9_000, head: "" } as const;
    await putRun({ status: "success", createdAt: second(900) });
    await putRun({ status: "success", createdAt: second(901), outputData: large });
    const items = async (query = "") =>
      RunList.parse(await (await ask("GET", `/v1/runs?limit=1000${query}`)).json()).items;
    const shown = (await items()).map((item) => [
      item.output_data,
      item.run_message_history,
      item.omitted_fields,
    ]);
    expect(shown).toEqual([
      [null, null, ["output_data", "run_message_history"]],
      [null, null, ["run_message_history"]],
    ]);
    expect((await items("&fields=status")).map((item) => item.omitted_fields)).toEqual([
      undefined,
      undefined,
    ]);
    const outputData = { kind: "inline", value: "x".repeat(8_190) } as const;
    for (let count = 0; count < 260; count += 1) {
      await putRun({ status: "success", createdAt: second(count), outputData });
    }
    const outputs = (await items()).slice(2).map(({ output_data }) => output_data === outputData.value);
    expect([outputs.filter(Boolean).length, outputs.lastIndexOf(true), outputs.length]).toEqual([
      256, 255, 260,
    ]);
    expect((await items()).at(-1)?.omitted_fields).toEqual(["output_data", "run_message_history"]);
  });

  it("hands filters on, has what its rows have, and includes each resource once", async () => {
    const { ask, putRun, workflow } = await setUpRuns();
    const outputData = { kind: "inline", value: { a: 1 } } as const;
    await putRun({ workflowId: workflow.id, outputData, createdAt: "2026-01-01T00:00:01.000Z" });
    await putRun({ workflowId: workflow.id, outputData, createdAt: "2026-01-01T00:00:02.000Z" });
    await putRun({ status: "error" });
    const query = `workflow_id=${workflow.id}&created_at_from=2026-01-01T00:00:00Z&include=workflow`;
    const list = RunList.parse(await (await ask("GET", `/v1/runs?${query}`)).json());
    expect(list.total).toBe(2);
    expect(list.included?.map(({ id }) => id)).toEqual([workflow.id]);
    expect(list.items[0]).toMatchObject({ output_data: { a: 1 } });
    expect(list.items[0]).toHaveProperty("input_values");
    const failed = RunList.parse(await (await ask("GET", "/v1/runs?status=error&search=%7B")).json());
    expect(failed.total).toBe(1);
  });

  it("answers the fields named and the five that are always there", async () => {
    const { ask, putRun } = await setUpRuns();
    await putRun({ outputData: { kind: "inline", value: { a: 1 } } });
    const ask2 = async (query: string) =>
      RunList.parse(await (await ask("GET", `/v1/runs?${query}`)).json()).items[0];
    const always = ["created_at", "id", "machine_id", "status", "workflow_id"];
    expect(Object.keys((await ask2("fields=status")) ?? {}).sort()).toEqual(always);
    const both = await ask2("fields=output_data&fields=error");
    expect(Object.keys(both ?? {}).sort()).toEqual([...always, "error", "output_data"].sort());
    expect(both?.output_data).toEqual({ a: 1 });
    expect(await problems(await ask("GET", "/v1/runs?fields=secret_name"))).toEqual([
      ["query.fields.0", "enum"],
    ]);
  });

  it("answers 413 that says to lower limit when the page is too large", async () => {
    const { ask, putRun } = await setUpRuns();
    const object = { kind: "object", key: "spill/x", bytes: 2_000_000, head: "" } as const;
    for (let made = 0; made < 3; made += 1) await putRun({ outputData: object });
    const response = await ask("GET", "/v1/runs?fields=output_data");
    const body = ErrorBody.parse(await response.json());
    expect([response.status, body.error_code]).toEqual([413, "answer_too_large"]);
    expect(body.message).toContain("lower limit");
    expect((await ask("GET", "/v1/runs?fields=output_data&limit=1")).status).toBe(200);
  });
});

describe("PATCH /v1/runs/{run_id}", () => {
  it("ends a waiting run as cancelled or error, dates its end, and refuses all else with what is allowed", async () => {
    const { ask, putRun } = await setUpRuns();
    for (const status of ["cancelled", "error"]) {
      const { id } = await putRun();
      for (const wrong of ["running", "scheduling", "success", "task_failed"]) {
        const response = await ask("PATCH", `/v1/runs/${id}`, { status: wrong });
        expect(response.status).toBe(409);
        expect(await response.json()).toMatchObject({
          error_code: "illegal_transition",
          details: { status: "scheduling", allowed: ["cancelled", "error"] },
        });
      }
      const ended = await run(await ask("PATCH", `/v1/runs/${id}`, { status, error: ["because"] }));
      expect(ended).toMatchObject({ status, error: ["because"], ended_at: expect.any(String) });
      const again = await ask("PATCH", `/v1/runs/${id}`, { status: "cancelled" });
      expect(await again.json()).toMatchObject({ details: { status, allowed: [] } });
    }
  });

  it("takes a running run's changes from who has its assignment_id", async () => {
    const { ask, putRun } = await setUpRuns();
    const assignment_id = randomUUID();
    const { id } = await putRun({ status: "running", assignmentId: assignment_id });
    for (const body of [{ status: "success" }, { status: "success", assignment_id: randomUUID() }]) {
      expect(await code(await ask("PATCH", `/v1/runs/${id}`, body))).toEqual([409, "assignment_mismatch"]);
    }
    const ended_at = "2026-02-03T04:05:06.000Z";
    const body = { status: "success", assignment_id, ended_at, output_data: { ok: true } };
    expect(await run(await ask("PATCH", `/v1/runs/${id}`, body))).toMatchObject({
      status: "success",
      ended_at,
      output_data: { ok: true },
    });
  });

  it("spills heavy fields, gives them back whole, and removes what they replace", async () => {
    const { ask, putRun, stores } = await setUpRuns();
    const { id } = await putRun();
    const output = { text: "x".repeat(20_000) };
    const history = [{ role: "user", content: "y".repeat(20_000) }];
    const first = await ask("PATCH", `/v1/runs/${id}`, { output_data: output, run_message_history: history });
    expect(await run(first)).toMatchObject({ output_data: output, run_message_history: history });
    const before = stores.files.keys();
    expect(before).toHaveLength(2);
    expect(await run(await ask("GET", `/v1/runs/${id}`))).toMatchObject({ output_data: output });
    await ask("PATCH", `/v1/runs/${id}`, { output_data: { text: "z".repeat(20_000) } });
    expect(stores.files.keys()).toHaveLength(2);
    expect(stores.files.keys()).not.toEqual(before);
    const cleared = await ask("PATCH", `/v1/runs/${id}`, { output_data: null, run_message_history: null });
    expect(await run(cleared)).toMatchObject({ output_data: null, run_message_history: null });
    expect(stores.files.keys()).toEqual([]);
  });

  it("lets a worker's key change a run at work under its assignment, and no other", async () => {
    const { ask, putRun } = await setUpRuns({ scopes: ["read", "worker"] });
    const assignment_id = randomUUID();
    const { id } = await putRun({ status: "running", assignmentId: assignment_id });
    const patch = async (body: object, runId = id) => await ask("PATCH", `/v1/runs/${runId}`, body);
    expect(await code(await patch({ usage_metadata: { tokens: 1 } }))).toEqual([409, "assignment_mismatch"]);
    const reported = await patch({ assignment_id, usage_metadata: { tokens: 1 }, output_data: { a: 1 } });
    expect(await run(reported)).toMatchObject({ usage_metadata: { tokens: 1 }, output_data: { a: 1 } });
    expect(await run(await patch({ assignment_id, status: "success" }))).toMatchObject({ status: "success" });
    const after = await patch({ assignment_id, error: ["late"] });
    expect(await code(after)).toEqual([409, "assignment_mismatch"]);
    const waiting = await putRun({ status: "scheduling" });
    const cancelled = await patch({ assignment_id, status: "cancelled" }, waiting.id);
    expect(await code(cancelled)).toEqual([409, "assignment_mismatch"]);
  });

  it("leaves no object behind when it is refused", async () => {
    const { ask, putRun, stores } = await setUpRuns();
    const { id } = await putRun({ status: "running", assignmentId: randomUUID() });
    const response = await ask("PATCH", `/v1/runs/${id}`, { output_data: "x".repeat(20_000) });
    expect(await code(response)).toEqual([409, "assignment_mismatch"]);
    expect(stores.files.keys()).toEqual([]);
  });

  it("changes inputs until a machine has the run", async () => {
    const { ask, putRun } = await setUpRuns();
    const waiting = await putRun();
    const body = { input_values: { a: 2 }, release_session_after: true };
    expect(await run(await ask("PATCH", `/v1/runs/${waiting.id}`, body))).toMatchObject(body);
    const ended = await putRun({ status: "cancelled" });
    expect(await code(await ask("PATCH", `/v1/runs/${ended.id}`, body))).toEqual([409, "conflict"]);
  });

  it.each([
    ["output_data", "x".repeat(1_048_574), "x".repeat(1_048_575), "output_data", "value_error"],
    [
      "run_message_history",
      ["x".repeat(2_097_148)],
      ["x".repeat(2_097_149)],
      "run_message_history",
      "value_error",
    ],
    ["usage_metadata", { a: "x".repeat(16_376) }, { a: "x".repeat(16_377) }, "usage_metadata", "value_error"],
  ])("takes %s up to its bound and no further (%#)", async (name, longest, tooLong, place, type) => {
    const { ask, putRun } = await setUpRuns();
    const path = `/v1/runs/${(await putRun()).id}`;
    expect((await ask("PATCH", path, { [name]: longest })).status).toBe(200);
    expect(await problems(await ask("PATCH", path, { [name]: tooLong }))).toEqual([[`body.${place}`, type]]);
  });
});

describe("GET /v1/runs/{run_id}/inputs", () => {
  const setUp = async () => {
    const service = await setUpRuns();
    const app = createRunsApp(service.deps);
    const get = (id: string, fields: Parameters<typeof service.authorize>[0] = { scopes: ["worker"] }) =>
      app.request(`/v1/runs/${id}/inputs`, { headers: { authorization: service.authorize(fields) } });
    return { ...service, get };
  };

  it("is for workers, of the organization, and only while the run is running", async () => {
    const { get, putRun } = await setUp();
    const { id } = await putRun();
    expect(await code(await get(id, { scopes: ["read", "write"] }))).toEqual([403, "insufficient_scope"]);
    const stranger = { scopes: ["worker"], organizationId: anOrganization() } as const;
    expect(await code(await get(id, stranger))).toEqual([404, "not_found"]);
    expect(await code(await get(id))).toEqual([409, "run_not_running"]);
  });

  it("gives a running run's inputs with the secrets' values, and logs none", async () => {
    const service = await setUp();
    const made = await service.create({
      input_values: { a: 1 },
      sensitive_input_values: { pin: "hunter2-hunter2" },
    });
    const { id } = await run(made);
    const stored = await service.stores.runs.find(service.organizationId, id);
    if (stored === undefined) throw new Error("it is there");
    const { assignmentId } = await service.stores.put.assign(stored);
    const response = await service.get(id);
    expect(RunInputs.parse(await response.json())).toEqual({
      assignment_id: assignmentId,
      input_values: { a: 1 },
      overrides: {},
      sensitive_input_values: { pin: "hunter2-hunter2" },
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(service.log.text()).not.toContain("hunter2");
    const { organizationId, secretId } = stored;
    await service.stores.table.delete(runSecretKey(organizationId, secretId ?? ""));
    const gone = await service.get(id);
    expect(await gone.json()).toMatchObject({ error_code: "secrets_gone", details: { aliases: ["pin"] } });
  });

  const inheriting = async () => {
    const service = await setUp();
    const { stores, organizationId } = service;
    const keep = async (kind: "machine" | "pool", id: string, values: Record<string, string>) => {
      const name = stores.secrets.secretName(organizationId, { kind, id }, randomUUID());
      await stores.secrets.create(name, values);
      return name;
    };
    const [machine, pool] = [aMachine({ organizationId }), aPool({ organizationId })];
    const ofMachine = await keep("machine", machine.id, { pin: "machine-pin", door: "machine-door" });
    await stores.machines.create({ ...machine, secretName: ofMachine, sensitiveAliases: ["pin", "door"] });
    const ofPool = await keep("pool", pool.id, { vpn: "pool-vpn", mail: "pool-mail" });
    await stores.pools.create({ ...pool, secretName: ofPool, sensitiveAliases: ["vpn", "mail"] });
    const id = randomUUID();
    const run = await service.stores.put.run(
      {
        organizationId,
        id,
        status: "running",
        assignmentId: randomUUID(),
        machineId: machine.id,
        poolIds: [pool.id],
        secretId: randomUUID(),
        sensitiveAliases: ["pin"],
        inheritedSecrets: {
          door: { kind: "machine", id: machine.id },
          vpn: { kind: "pool", id: pool.id },
          mail: { kind: "pool", id: pool.id },
        },
      },
      { pin: "own-pin" },
    );
    return { ...service, run, machine, pool, ofMachine, ofPool, keep };
  };
  const values = async (answer: Response) => RunInputs.parse(await answer.json()).sensitive_input_values;

  it("gives the secrets of its machine and pools as they are now, and no other ones of theirs", async () => {
    const { get, run, stores, organizationId, machine, keep } = await inheriting();
    const expected = { pin: "own-pin", door: "machine-door", vpn: "pool-vpn", mail: "pool-mail" };
    expect(await values(await get(run.id))).toEqual(expected);
    const secretName = await keep("machine", machine.id, { door: "new-door", other: "x" });
    await stores.machines.update(organizationId, machine.id, { secretName });
    expect(await values(await get(run.id))).toEqual({ ...expected, door: "new-door" });
  });

  it("reads each owner's secret once, and the new one when it is replaced meanwhile", async () => {
    const { get, run, stores, organizationId, machine, ofMachine, keep } = await inheriting();
    const read = vi.spyOn(stores.secrets, "read");
    await get(run.id);
    expect(read).toHaveBeenCalledTimes(2);
    const secretName = await keep("machine", machine.id, { door: "new-door" });
    read.mockImplementationOnce(async (name) => {
      expect(name).toBe(ofMachine);
      await stores.machines.update(organizationId, machine.id, { secretName });
      return undefined;
    });
    expect(await values(await get(run.id))).toMatchObject({ door: "new-door" });
  });

  it("answers 409 that names what is gone: the machine, the pool's secret, or the alias in it", async () => {
    const { get, run, stores, organizationId, machine, pool, ofPool, keep } = await inheriting();
    const aliases = async () => ((await (await get(run.id)).json()) as { details: unknown }).details;
    const secretName = await keep("pool", pool.id, { vpn: "pool-vpn" });
    await stores.pools.update(organizationId, pool.id, { secretName, updatedAt: pool.updatedAt });
    expect(await aliases()).toEqual({ aliases: ["mail"] });
    await stores.pools.update(organizationId, pool.id, { secretName: ofPool, updatedAt: pool.updatedAt });
    await stores.secrets.remove(ofPool);
    expect(await aliases()).toEqual({ aliases: ["vpn", "mail"] });
    await stores.machines.markDeleted(organizationId, machine.id, "2026-01-15T12:00:00.000Z");
    const answer = await get(run.id);
    expect(await code(answer)).toEqual([409, "secrets_gone"]);
    expect(await aliases()).toEqual({ aliases: ["door", "vpn", "mail"] });
  });
});
