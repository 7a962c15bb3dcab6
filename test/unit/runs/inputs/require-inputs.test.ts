import { describe, expect, it } from "vitest";
import { ValidationErrorBody } from "../../../../shared/contract/errors.ts";
import { putWorkflow, setUpRuns } from "../run-service.ts";

const inputSchema = {
  properties: { user: { type: "string" }, lines: { items: { type: "object" } }, password: { minLength: 99 } },
  required: ["user", "password"],
  additionalProperties: false,
};

async function setUp() {
  const service = await setUpRuns();
  const workflow = await putWorkflow(service, { inputSchema });
  const machine = await service.putMachine({ parameters: { printer: "p1" }, sensitiveAliases: ["password"] });
  const create = (fields: object) => service.create({ workflow_id: workflow.id, ...fields });
  return { ...service, workflow, machine, create };
}

async function problems(response: Response): Promise<readonly unknown[]> {
  expect(response.status).toBe(422);
  return ValidationErrorBody.parse(await response.json()).detail.map(({ loc, type }) => [loc, type]);
}

const idOf = async (response: Response): Promise<string> => {
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  return id;
};

describe("inputs of a run whose machine is known", () => {
  it("are taken when those of the run and the machine together are what the workflow asks for", async () => {
    const { create, machine } = await setUp();
    await idOf(await create({ machine_id: machine.id, input_values: { user: "ada" } }));
  });

  it("are refused with the place of each problem, and nothing is left behind", async () => {
    const { create, ask, machine, stores } = await setUp();
    const refused = await create({
      machine_id: machine.id,
      input_values: { lines: [{}, 1], extra: true },
      sensitive_input_values: { key: "k" },
      file_inputs: [{ filename: "a.txt", content: "YQ==" }],
    });
    expect(await problems(refused)).toEqual([
      [["body", "input_values", "user"], "missing"],
      [["body", "input_values", "extra"], "extra_forbidden"],
      [["body", "input_values", "lines", 1], "value_error"],
    ]);
    expect(await (await ask("GET", "/v1/runs")).json()).toMatchObject({ total: 0 });
    expect(stores.secrets.names()).toEqual([]);
  });

  it("are judged value by value before the machine is known, whatever else it may bring", async () => {
    const { create, putPool, machine } = await setUp();
    await idOf(await create({}));
    await idOf(await create({ pool_ids: [(await putPool()).id], input_values: { extra: 1, lines: [{}] } }));
    const input_values = { user: 1, lines: [{}, 1] };
    expect(await problems(await create({ input_values }))).toEqual([
      [["body", "input_values", "user"], "value_error"],
      [["body", "input_values", "lines", 1], "value_error"],
    ]);
    expect(await problems(await create({ machine_id: machine.id, input_values }))).toHaveLength(2);
  });

  it("are judged value by value by what the schema defines, and left to the assignment where that is not all", async () => {
    const { ask, ...service } = await setUp();
    const creating = async (schema: object, input_values: object) => {
      const workflow = await putWorkflow(service, { inputSchema: { ...schema } });
      return await ask("POST", "/v1/runs", { workflow_id: workflow.id, input_values });
    };
    const day = { $defs: { day: { enum: ["mon"] } }, properties: { a: { $ref: "#/$defs/day" } } };
    expect(await problems(await creating(day, { a: "tue" }))).toHaveLength(1);
    await idOf(await creating({ ...day, not: {}, required: ["b"] }, { a: "mon" }));
    const elsewhere = { allOf: [{ type: "object" }], properties: { a: { $ref: "#/allOf/0" } } };
    await idOf(await creating(elsewhere, { a: 1 }));
  });

  it("are judged when the session has a machine", async () => {
    const { create, machine } = await setUp();
    const first = await create({
      machine_id: machine.id,
      start_session: true,
      input_values: { user: "ada" },
    });
    const { session_id } = (await first.json()) as { session_id: string };
    expect(await problems(await create({ session_id }))).toHaveLength(1);
  });

  it("are judged once for all of a bulk", async () => {
    const { ask, workflow, machine } = await setUp();
    const bulk = { workflow_id: workflow.id, machine_id: machine.id, count: 3 };
    expect(await problems(await ask("POST", "/v1/runs/bulk", bulk))).toEqual([
      [["body", "input_values", "user"], "missing"],
    ]);
    const taken = await ask("POST", "/v1/runs/bulk", { ...bulk, input_values: { user: "ada" } });
    expect(taken.status).toBe(201);
  });

  it("are judged when a run is done again", async () => {
    const { ask, workflow, machine, putRun } = await setUp();
    const fields = { workflowId: workflow.id, namedMachineId: machine.id, machineId: machine.id };
    const run = await putRun({ ...fields, status: "error", inputValues: { user: "ada" } });
    const retry = (body: object) => ask("POST", `/v1/runs/${run.id}/retry`, body);
    expect(await problems(await retry({ input_values: { user: 1 } }))).toEqual([
      [["body", "input_values", "user"], "value_error"],
    ]);
    expect((await retry({})).status).toBe(200);
  });

  it("are judged without those of a deleted machine, whose absence is what is said", async () => {
    const { create } = await setUp();
    expect((await create({ machine_id: "0190b5a0-0000-7000-8000-00000000dead" })).status).toBe(404);
  });

  it("say that the schema takes too long, rather than wait for it", async () => {
    const service = await setUp();
    const slow = { properties: { a: { pattern: "^(a+)+$" } } };
    const workflow = await putWorkflow(service, { inputSchema: slow });
    const refused = await service.ask("POST", "/v1/runs", {
      workflow_id: workflow.id,
      input_values: { a: `${"a".repeat(60)}!` },
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("schema_too_slow");
  });
});
