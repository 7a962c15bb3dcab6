import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { RunInputs, RunResponse } from "../../../shared/contract/run/run.ts";
import { finishRunDeletion } from "../../../shared/domain/maintenance/finish-run-deletion.ts";
import { choiceDefaults } from "../../../shared/domain/model-configuration/model-configuration.ts";
import { chooseModels } from "../../../shared/domain/model-selection/choose-models.ts";
import { boundsOf, promptOf } from "../../../shared/domain/run/override-run.ts";
import { noOverrides } from "../../../shared/domain/run/run-overrides.ts";
import { aRun } from "../../support/builders/entities.ts";
import { aModelConfiguration, aWorkflow } from "../../support/builders/workflows.ts";
import { setUpRuns } from "./run-service.ts";

const ofTheService = "01a2008d-7400-7000-8000-000000000001";
const longPrompt = `Open ${"x".repeat(9_000)}`;

async function setUp() {
  const service = await setUpRuns({ scopes: ["read", "write", "worker"] });
  const { create, ask, stores, organizationId } = service;
  const stored = async (id: string) => {
    const run = await stores.runs.find(organizationId, id);
    if (run === undefined) throw new Error("there is no such run");
    return run;
  };
  const made = async (fields: object) => {
    const response = await create(fields);
    expect(response.status).toBe(201);
    return await stored(RunResponse.parse(await response.json()).id);
  };
  const objects = () => stores.files.keys().filter((key) => key.includes("main_prompt"));
  return { ...service, made, stored, objects, ask };
}

describe("what a run has instead of its workflow's", () => {
  it.each([
    ["nothing", {}],
    ["a model", { model_metadata: { provider: "openai", model: "m" } }],
    ["a configuration", { model_configuration_id: ofTheService }],
    ["fallbacks", { fallback_model_configuration_ids: [ofTheService] }],
    ["bounds", { max_steps: 500, max_duration_seconds: 30, max_tokens: 1 }],
    ["a prompt", { main_prompt: "Open the other shop." }],
    ["a prompt that is too long for its row", { main_prompt: longPrompt, max_steps: 1 }],
  ])("is kept with it, through a retry, and given to its worker: %s", async (_what, fields) => {
    const { made, ask, stores, stored } = await setUp();
    const run = await made(fields);
    await ask("PATCH", `/v1/runs/${run.id}`, { status: "cancelled" });
    expect((await ask("POST", `/v1/runs/${run.id}/retry`)).status).toBe(200);
    expect((await stored(run.id)).overrides).toEqual(run.overrides);
    await stores.put.assign(await stored(run.id));
    const inputs = RunInputs.parse(await (await ask("GET", `/v1/runs/${run.id}/inputs`)).json());
    expect(inputs.overrides).toEqual(fields);
  });

  it.each([
    [{ max_steps: 501 }, "max_steps"],
    [{ max_steps: 0 }, "max_steps"],
    [{ max_duration_seconds: 29 }, "max_duration_seconds"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ main_prompt: "" }, "main_prompt"],
    [{ main_prompt: "x".repeat(100_001) }, "main_prompt"],
    [{ model_metadata: { provider: "nobody", model: "m" } }, "model_metadata"],
    [
      { model_metadata: { provider: "openai", model: "m" }, model_configuration_id: ofTheService },
      "model_configuration_id",
    ],
  ])("has the workflow's bounds: %j", async (fields, field) => {
    const { create, ask, workflow } = await setUp();
    const bulk = { workflow_id: workflow.id, count: 2, ...fields };
    for (const response of [await create(fields), await ask("POST", "/v1/runs/bulk", bulk)]) {
      const { detail } = (await response.json()) as { detail: { loc: unknown[] }[] };
      expect([response.status, detail[0]?.loc[1]]).toEqual([422, field]);
    }
  });

  it("names a configuration that is there: else 404, and nothing is made", async () => {
    const { create, ask, workflow, objects } = await setUp();
    const fields = { model_configuration_id: v7(), main_prompt: longPrompt };
    expect((await create(fields)).status).toBe(404);
    const bulk = { workflow_id: workflow.id, count: 2, ...fields };
    expect((await ask("POST", "/v1/runs/bulk", bulk)).status).toBe(404);
    expect(objects()).toEqual([]);
  });

  it("leaves no object where the run is refused", async () => {
    const { create, objects } = await setUp();
    expect((await create({ machine_id: v7(), main_prompt: longPrompt })).status).toBe(404);
    expect(objects()).toEqual([]);
  });

  it("is each run's own in a bulk, and goes with it", async () => {
    const { ask, workflow, stores, organizationId, stored, objects } = await setUp();
    const body = { workflow_id: workflow.id, count: 3, main_prompt: longPrompt, max_steps: 7 };
    const bulk = await (await ask("POST", "/v1/runs/bulk", body)).json();
    const ids = (bulk as { created_runs: { id: string }[] }).created_runs.map(({ id }) => id);
    const runs = await Promise.all(ids.map(stored));
    for (const run of runs) {
      expect(await promptOf(stores, run, workflow)).toBe(longPrompt);
      expect(boundsOf(run, workflow)).toEqual({ maxSteps: 7, maxDurationSeconds: 3_600, maxTokens: null });
    }
    expect(objects()).toHaveLength(3);
    const [first = ""] = ids;
    await ask("DELETE", `/v1/runs/${first}`);
    await finishRunDeletion(stores, organizationId, first);
    expect(objects()).toHaveLength(2);
  });
});

describe("a run's models", () => {
  async function configured() {
    const { stores, organizationId } = await setUp();
    const of = async (model: string) => {
      const configuration = aModelConfiguration({ organizationId, model, temperature: 1 });
      await stores.modelConfigurations.create(configuration);
      return configuration.id;
    };
    const [main, second] = [await of("main"), await of("second")];
    const workflow = aWorkflow({ modelConfigurationId: main, fallbackModelConfigurationIds: [second] });
    const models = async (overrides = {}, ofWorkflow = workflow) => {
      const run = aRun({ organizationId, overrides: { ...noOverrides, ...overrides } });
      const chosen = await chooseModels(stores, run, ofWorkflow);
      return chosen.kind === "chosen" ? [chosen.main, ...chosen.fallbacks].map(({ model }) => model) : chosen;
    };
    return { stores, organizationId, main, second, workflow, models };
  }

  it("are the workflow's, the main one first", async () => {
    const { models } = await configured();
    expect(await models()).toEqual(["main", "second"]);
    expect(await models({}, aWorkflow())).toEqual({ kind: "none" });
    const modelMetadata = { provider: "openai", model: "m" } as const;
    expect(await models({}, aWorkflow({ modelMetadata }))).toEqual(["m"]);
  });

  it("begin with its own, and are never tried twice", async () => {
    const { models, second } = await configured();
    const modelMetadata = { provider: "openai", model: "m" };
    expect(await models({ modelMetadata })).toEqual(["m", "second"]);
    expect(await models({ modelConfigurationId: second })).toEqual(["second"]);
    expect(await models({ modelConfigurationId: ofTheService })).toEqual(["claude-opus-5-5", "second"]);
  });

  it("are asked as their configurations say, and nothing else of those is told", async () => {
    const { stores, workflow, organizationId } = await configured();
    expect(await chooseModels(stores, aRun({ organizationId }), workflow)).toEqual({
      kind: "chosen",
      main: { provider: "anthropic", model: "main", ...choiceDefaults, temperature: 1 },
      fallbacks: [{ provider: "anthropic", model: "second", ...choiceDefaults, temperature: 1 }],
    });
  });

  it("are not chosen where the main one is gone; a fallback that is gone is passed over", async () => {
    const { models, workflow } = await configured();
    const gone = v7();
    expect(await models({ modelConfigurationId: gone })).toEqual({ kind: "configuration_missing", id: gone });
    expect(await models({}, { ...workflow, fallbackModelConfigurationIds: [gone] })).toEqual(["main"]);
  });
});
