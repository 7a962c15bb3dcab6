import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { CreatedChain } from "../../../shared/contract/run/chain.ts";
import { RunInputs, RunList, Run as WireRun } from "../../../shared/contract/run/run.ts";
import { putWorkflow, secretRows, setUpRuns } from "./run-service.ts";

const setUp = async () => {
  const service = await setUpRuns();
  const { ask, stores, workflow, organizationId } = service;
  const workflow_id = workflow.id;
  return {
    ...service,
    workflow_id,
    /** Each step of the one workflow unless it says otherwise. */
    chain: (steps: readonly object[], rest: object = {}, headers: Record<string, string> = {}) =>
      ask(
        "POST",
        "/v1/runs/chain",
        { steps: steps.map((step) => ({ workflow_id, ...step })), ...rest },
        headers,
      ),
    total: async () => RunList.parse(await (await ask("GET", "/v1/runs?limit=1000")).json()).total,
    stored: async (id: string | undefined) => {
      const run = await stores.runs.find(organizationId, id ?? "");
      if (run === undefined) throw new Error("it is there");
      return run;
    },
  };
};

const made = async (response: Response) => {
  expect(response.status).toBe(201);
  return CreatedChain.parse(await response.json());
};
const code = async (response: Response) => [
  response.status,
  ErrorBody.parse(await response.json()).error_code,
];
const places = async (response: Response) => {
  expect(response.status).toBe(422);
  return ValidationErrorBody.parse(await response.json()).detail.map(({ loc }) => loc);
};

describe("POST /v1/runs/chain", () => {
  it("makes a run of each step in a session that begins, and ends with the last", async () => {
    const { chain, ask, stored, stores, organizationId } = await setUp();
    const { session_id, run_ids } = await made(
      await chain([{ session_alias: "one" }, { continue_on_failure: true }, { session_alias: "three" }]),
    );
    expect(await stores.runs.findSession(organizationId, session_id)).toMatchObject({ status: "pending" });
    const runs = await Promise.all(run_ids.map(stored));
    expect(new Set(runs.map(({ chainId }) => chainId)).size).toBe(1);
    expect(runs.map(({ chainStep }) => chainStep)).toEqual([0, 1, 2]);
    expect(runs.map(({ sessionId }) => sessionId)).toEqual([session_id, session_id, session_id]);
    expect(runs.map(({ releaseSessionAfter }) => releaseSessionAfter)).toEqual([false, false, true]);
    expect(runs.map(({ chainKeepsSession }) => chainKeepsSession)).toEqual([false, false, false]);
    expect(runs.map(({ continueOnFailure }) => continueOnFailure)).toEqual([false, true, false]);
    expect(runs.map(({ chainRunIds }) => chainRunIds)).toEqual([
      {},
      { one: run_ids[0] },
      { one: run_ids[0] },
    ]);
    const third = WireRun.parse(await (await ask("GET", `/v1/runs/${run_ids[2]}`)).json());
    expect(third).toMatchObject({
      session_alias: "three",
      status: "scheduling",
      release_session_after: true,
    });
  });

  it("keeps the session when asked to, and joins one that is there", async () => {
    const { chain, stored, putMachine } = await setUp();
    const { id: machine_id } = await putMachine();
    const first = await made(await chain([{}, {}], { machine_id, keep_session_after_completion: true }));
    const last = await stored(first.run_ids[1]);
    expect([last.releaseSessionAfter, last.chainKeepsSession, last.machineId]).toEqual([
      false,
      true,
      machine_id,
    ]);
    const second = await made(await chain([{}], { session_id: first.session_id }));
    expect(second.session_id).toBe(first.session_id);
    const joined = await stored(second.run_ids[0]);
    expect([joined.machineId, joined.releaseSessionAfter]).toEqual([machine_id, true]);
    expect(joined.chainId).not.toBe(last.chainId);
  });

  it("takes 1 to 40 steps, each of its own workflow if it likes", async () => {
    const service = await setUp();
    const steps: object[] = [];
    for (let place = 0; place < 40; place += 1) {
      const { id } = await putWorkflow(service);
      steps.push({ workflow_id: id, session_alias: `step_${place}` });
    }
    const { run_ids } = await made(await service.chain(steps));
    expect(new Set(run_ids).size).toBe(40);
    expect([...run_ids].sort()).toEqual(run_ids);
    expect(await places(await service.chain([...steps, {}]))).toEqual([["body", "steps"]]);
    expect(await places(await service.chain([]))).toEqual([["body", "steps"]]);
  });

  it("puts a step's inputs above the shared ones, the sensitive ones too, in one secret", async () => {
    const service = await setUp();
    const { chain, stored, stores } = service;
    const { run_ids } = await made(
      await chain(
        [
          { inputs: { a: 1 }, sensitive_inputs: { pin: "first" } },
          {},
          { sensitive_inputs: { code: "third" } },
        ],
        { shared_inputs: { a: 0, b: 0 }, shared_sensitive_inputs: { pin: "shared" } },
      ),
    );
    const runs = await Promise.all(run_ids.map(stored));
    expect(runs.map(({ inputValues }) => inputValues)).toEqual([
      { a: 1, b: 0 },
      { a: 0, b: 0 },
      { a: 0, b: 0 },
    ]);
    const worker = service.authorize({ scopes: ["worker"] });
    const inputsOf = async (place: number) => {
      const run = await stores.put.assign(await stored(run_ids[place]));
      const app = createRunsApp(service.deps);
      const response = await app.request(`/v1/runs/${run.id}/inputs`, { headers: { authorization: worker } });
      const end = { assignmentId: run.assignmentId ?? "" };
      await stores.runs.update(service.organizationId, run.id, { status: "success" }, end);
      return RunInputs.parse(await response.json()).sensitive_input_values;
    };
    expect(await inputsOf(0)).toEqual({ pin: "first" });
    expect(await inputsOf(1)).toEqual({ pin: "shared" });
    expect(await inputsOf(2)).toEqual({ pin: "shared", code: "third" });
  });

  it("gives a step without sensitive inputs no secret, and a secret of its own when it is done again", async () => {
    const { chain, stored, ask, stores } = await setUp();
    const { run_ids } = await made(await chain([{}, { sensitive_inputs: { pin: "1" } }]));
    const [first, second] = [await stored(run_ids[0]), await stored(run_ids[1])];
    expect(first.secretId).toBeNull();
    await ask("PATCH", `/v1/runs/${second.id}`, { status: "error" });
    const body = { sensitive_input_values: { pin: "2" }, reuse_session: false };
    expect((await ask("POST", `/v1/runs/${second.id}/retry`, body)).status).toBe(200);
    expect(await stores.runs.readSecret(second)).toBeUndefined();
    expect(await stores.runs.readSecret(await stored(second.id))).toEqual({ pin: "2" });
  });

  it("attaches shared files to the first step, and names them in all", async () => {
    const { chain, stored, ask } = await setUp();
    const shared_file_inputs = [{ filename: "a.txt", content: "YWJj" }];
    const { run_ids } = await made(await chain([{}, {}, {}], { shared_file_inputs }));
    const runs = await Promise.all(run_ids.map(stored));
    const [id] = runs[0]?.inputAttachmentIds ?? [];
    expect(runs.map(({ inputAttachmentIds }) => inputAttachmentIds)).toEqual([[id], [id], [id]]);
    const attachment = await (await ask("GET", `/v1/run-attachments/${id}`)).json();
    expect(attachment).toMatchObject({ run_id: run_ids[0], filename: "a.txt" });
  });

  it("takes steps and files up to 44 together", async () => {
    const { chain } = await setUp();
    const files = (count: number) => Array.from({ length: count }, () => ({ filename: "a", content: "" }));
    const steps = Array.from({ length: 25 }, () => ({}));
    expect((await chain(steps, { shared_file_inputs: files(19) })).status).toBe(201);
    expect(await places(await chain(steps, { shared_file_inputs: files(20) }))).toEqual([
      ["body", "shared_file_inputs"],
    ]);
  });

  it("stores a reference to an earlier step as it is written", async () => {
    const { chain, stored } = await setUp();
    const inputs = {
      all: { $ref: "one.outputs" },
      deep: [{ first: { $ref: "one.outputs.items.0.name" } }],
      other: { $ref: 7, beside: true },
    };
    const { run_ids } = await made(await chain([{ session_alias: "one" }, { inputs }]));
    expect((await stored(run_ids[1])).inputValues).toEqual(inputs);
  });

  it.each([
    ["of a step that is not there", { $ref: "nobody.outputs.a" }],
    ["of the step itself", { $ref: "two.outputs.a" }],
    ["of a later step", { $ref: "three.outputs.a" }],
    ["without outputs", { $ref: "one" }],
    ["to something else", { $ref: "one.inputs.a" }],
    ["without a path behind its dot", { $ref: "one.outputs." }],
    ["that is empty", { $ref: "" }],
    ["that is no text", { $ref: 7 }],
    ["that is none", { $ref: null }],
  ])("refuses a reference %s, naming its place", async (_name, reference) => {
    const { chain, total } = await setUp();
    const steps = (inputs: object) => [
      { session_alias: "one" },
      { session_alias: "two", inputs },
      { session_alias: "three" },
    ];
    const place = ["body", "steps", 1, "inputs"];
    expect(await places(await chain(steps({ x: reference })))).toEqual([[...place, "x", "$ref"]]);
    expect(await places(await chain(steps({ x: [0, { y: reference }] })))).toEqual([
      [...place, "x", 1, "y", "$ref"],
    ]);
    expect(await total()).toBe(0);
  });

  it("refuses a shared reference that a step before its own has, unless each such step has a value of its own", async () => {
    const { chain } = await setUp();
    const shared_inputs = { x: { $ref: "one.outputs.a" } };
    expect(await places(await chain([{ session_alias: "one" }, {}], { shared_inputs }))).toEqual([
      ["body", "shared_inputs", "x", "$ref"],
    ]);
    const steps = [{ session_alias: "one", inputs: { x: 1 } }, {}];
    expect((await chain(steps, { shared_inputs })).status).toBe(201);
  });

  it.each(["", "a.b", "1a", "a b", "ä", "x".repeat(256)])("refuses the alias %j", async (session_alias) => {
    const { chain } = await setUp();
    const found = await places(await chain([{ session_alias }]));
    expect(found[0]).toEqual(["body", "steps", 0, "session_alias"]);
  });

  it("refuses an alias given twice, naming the second", async () => {
    const { chain } = await setUp();
    const steps = [{ session_alias: "a" }, { session_alias: "b" }, { session_alias: "a" }];
    expect(await places(await chain(steps))).toEqual([["body", "steps", 2, "session_alias"]]);
  });

  it("bounds inputs with the shared ones, and the secret of all steps", async () => {
    const { chain } = await setUp();
    const half = "x".repeat(32_768);
    const shared = { shared_inputs: { a: half }, shared_sensitive_inputs: { a: half } };
    expect((await chain([{ inputs: { b: "x".repeat(32_000) } }], shared)).status).toBe(201);
    expect(await places(await chain([{}, { inputs: { b: half } }], shared))).toEqual([
      ["body", "steps", 1, "inputs"],
    ]);
    const two = [{ sensitive_inputs: { b: "x".repeat(16_000) } }, { sensitive_inputs: { b: half } }];
    expect(await places(await chain(two, { shared_sensitive_inputs: { c: "x".repeat(20_000) } }))).toEqual([
      ["body", "steps"],
    ]);
    expect(await places(await chain([{ sensitive_inputs: { "#1#pin": "1" } }]))).toEqual([
      ["body", "steps", 0, "sensitive_inputs", "#1#pin"],
    ]);
  });

  it("makes all or nothing: 404 for what one step names, and nothing is left", async () => {
    const { chain, total, stores } = await setUp();
    const brings = {
      shared_sensitive_inputs: { pin: "1" },
      shared_file_inputs: [{ filename: "a", content: "YQ==" }],
    };
    const wrong = [
      await chain([{}, { workflow_id: v7() }], brings),
      await chain([{}], { ...brings, machine_id: v7() }),
      await chain([{}], { ...brings, pool_ids: [v7()] }),
      await chain([{}], { ...brings, session_id: v7() }),
    ];
    for (const response of wrong) expect(await code(response)).toEqual([404, "not_found"]);
    expect([await total(), secretRows(stores), stores.files.keys()]).toEqual([0, [], []]);
  });

  it("answers 409 for a session that has ended", async () => {
    const { chain, stores, organizationId } = await setUp();
    const session = await stores.put.session({ organizationId, status: "ended" });
    expect(await code(await chain([{}], { session_id: session.id }))).toEqual([409, "session_ended"]);
  });
});
