import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createFollowingApp } from "../../../functions/following/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { CreatedRuns, Run, RunList } from "../../../shared/contract/run/run.ts";
import { Workflow } from "../../../shared/contract/workflow.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const [main, first, second] = [1, 2, 3].map((number) => `01a2008d-7400-7000-8000-00000000000${number}`);
const main_prompt = "Open the shop.";

async function setUp() {
  const service = await createTestService();
  const [workflows, runs] = [createWorkflowsApp(service.deps), createRunsApp(service.deps)];
  const following = createFollowingApp(service.deps);
  const appOf = (at: string) => {
    if (/^\/v1\/runs\/[0-9a-f]{8}-/.test(at)) return following;
    return at.startsWith("/v1/runs") ? runs : workflows;
  };
  const ask = asking(appOf, service.authorize());
  const workflow = async (fields: object = {}) =>
    Workflow.parse((await ask("POST", "/v1/workflows", { main_prompt, ...fields })).json);
  return { ...service, ask, workflow };
}

const ofMain = { model_configuration_id: main, main_agent_model_id: main, model_metadata: null };
const ofAll = { ...ofMain, fallback_model_1_id: first, fallback_model_2_id: second };

describe("the configurations of a workflow", () => {
  it.each([
    ["our names", { model_configuration_id: main, fallback_model_configuration_ids: [first, second] }],
    ["other names", { main_agent_model_id: main, fallback_model_1_id: first, fallback_model_2_id: second }],
    ["both", { ...ofMain, fallback_model_1_id: first, fallback_model_2_id: second }],
    [
      "other names inside of model_metadata",
      {
        model_metadata: {
          main_agent_model_id: main,
          fallback_model_1_id: first,
          fallback_model_2_id: second,
          cache_detection_model_id: null,
        },
      },
    ],
  ])("are named by %s, and answered by both", async (_what, fields) => {
    const { ask, workflow } = await setUp();
    const made = await workflow(fields);
    expect(made).toMatchObject({ ...ofAll, fallback_model_configuration_ids: [first, second] });
    expect((await ask("GET", `/v1/workflows/${made.id}`)).json).toMatchObject(ofAll);
  });

  it("are changed by other names, and null clears them", async () => {
    const { ask, workflow } = await setUp();
    const { id } = await workflow({ model_metadata: { provider: "openai", model: "m" } });
    const change = async (body: object) => (await ask("PATCH", `/v1/workflows/${id}`, body)).json;
    expect(await change({ model_metadata: { main_agent_model_id: main } })).toMatchObject(ofMain);
    expect(await change({ fallback_model_1_id: first, fallback_model_2_id: null })).toMatchObject({
      fallback_model_configuration_ids: [first],
    });
    expect(await change({ fallback_model_2_id: second })).toMatchObject({
      fallback_model_configuration_ids: [second],
    });
    const nothing = { main_agent_model_id: null, fallback_model_1_id: null, fallback_model_2_id: null };
    const cleared = { ...nothing, model_configuration_id: null, fallback_model_configuration_ids: [] };
    expect(await change({ model_metadata: nothing })).toMatchObject(cleared);
  });

  it.each([
    [{ model_configuration_id: main, main_agent_model_id: first }, ["main_agent_model_id"]],
    [
      { main_agent_model_id: main, fallback_model_configuration_ids: [first], fallback_model_1_id: second },
      ["fallback_model_1_id"],
    ],
    [
      { main_agent_model_id: main, fallback_model_configuration_ids: [first], fallback_model_2_id: second },
      ["fallback_model_2_id"],
    ],
    [
      { main_agent_model_id: main, fallback_model_1_id: first, fallback_model_2_id: first },
      ["fallback_model_2_id"],
    ],
    [
      { main_agent_model_id: first, model_metadata: { main_agent_model_id: main } },
      ["model_metadata", "provider"],
    ],
    [{ model_metadata: { main_agent_model_id: main, provider: "openai" } }, ["model_metadata", "model"]],
    [{ model_metadata: { cache_detection_model_id: main } }, ["model_metadata", "provider"]],
    [{ main_agent_model_id: "x" }, ["main_agent_model_id"]],
  ])("are refused where names differ, and the 422 names the field: %j", async (fields, field) => {
    const { ask } = await setUp();
    const { status, json } = await ask("POST", "/v1/workflows", { main_prompt, ...fields });
    expect([status, json.detail[0].loc]).toEqual([422, ["body", ...field]]);
  });
});

describe("what a run has in place of its workflow's", () => {
  it("is named by other names, at the top and inside of model_metadata, and answered", async () => {
    const { ask, workflow } = await setUp();
    const { id: workflow_id } = await workflow();
    const named = { main_agent_model_id: main, fallback_model_1_id: first, fallback_model_2_id: second };
    for (const fields of [named, { model_metadata: named }]) {
      const made = await ask("POST", "/v1/runs", { workflow_id, main_prompt: "Do that.", ...fields });
      expect(Run.parse(made.json)).toMatchObject({ ...ofAll, main_prompt: "Do that." });
      const bulk = await ask("POST", "/v1/runs/bulk", { workflow_id, count: 1, ...fields });
      const [one] = CreatedRuns.parse(bulk.json).created_runs;
      expect(one?.omitted_fields).toEqual(expect.arrayContaining([...Object.keys(ofAll), "main_prompt"]));
      expect(Run.parse((await ask("GET", `/v1/runs/${one?.id}`)).json)).toMatchObject(ofAll);
    }
    const plain = Run.parse((await ask("POST", "/v1/runs", { workflow_id })).json);
    const nothing = { ...ofAll, model_configuration_id: null, main_agent_model_id: null };
    expect(plain).toMatchObject({
      ...nothing,
      fallback_model_1_id: null,
      fallback_model_2_id: null,
      fallback_model_configuration_ids: null,
      main_prompt: null,
    });
  });

  it("is in lists that name it in fields, a prompt too large for a row too; else a prompt is left out", async () => {
    const { ask, workflow } = await setUp();
    const { id: workflow_id } = await workflow();
    const long = "x".repeat(9_000);
    const model_metadata = { provider: "openai", model: "m" };
    await ask("POST", "/v1/runs", { workflow_id, main_prompt: long, model_metadata });
    await ask("POST", "/v1/runs", { workflow_id });
    const list = async (query: string) =>
      RunList.parse((await ask("GET", `/v1/runs?${query}`)).json).items.map(
        ({ main_prompt, model_metadata, omitted_fields = [] }) => ({
          main_prompt,
          model_metadata,
          isOmitted: omitted_fields.includes("main_prompt"),
        }),
      );
    expect(await list("")).toEqual([
      { main_prompt: null, model_metadata: null, isOmitted: false },
      { main_prompt: null, model_metadata, isOmitted: true },
    ]);
    expect(await list("fields=main_prompt&fields=model_metadata")).toEqual([
      { main_prompt: null, model_metadata: null, isOmitted: false },
      { main_prompt: long, model_metadata, isOmitted: false },
    ]);
  });

  it.each([
    [{ model_configuration_id: main, main_agent_model_id: first }, "main_agent_model_id"],
    [
      { main_agent_model_id: main, model_metadata: { provider: "openai", model: "m" } },
      "model_configuration_id",
    ],
    [{ fallback_model_1_id: first, fallback_model_2_id: first }, "fallback_model_2_id"],
  ])("is refused where names differ: %j", async (fields, field) => {
    const { ask, workflow } = await setUp();
    const { status, json } = await ask("POST", "/v1/runs", { workflow_id: (await workflow()).id, ...fields });
    expect([status, json.detail[0].loc[1]]).toEqual([422, field]);
  });

  it("names configurations that are there: else 404", async () => {
    const { ask, workflow } = await setUp();
    const { id: workflow_id } = await workflow();
    const body = { workflow_id, main_agent_model_id: main, fallback_model_1_id: v7() };
    expect((await ask("POST", "/v1/runs", body)).status).toBe(404);
  });
});
