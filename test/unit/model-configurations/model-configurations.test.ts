import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createModelConfigurationsApp } from "../../../functions/model-configurations/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { ModelConfiguration } from "../../../shared/contract/model-configuration.ts";
import { Workflow } from "../../../shared/contract/workflow.ts";
import { coveredProviders } from "../../../shared/vocabulary/providers.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const path = "/v1/model-configurations";
const minimal = { name: "Careful", provider: "anthropic", model: "claude-opus-5-5" };
const ofTheService = "01a2008d-7400-7000-8000-000000000001";

async function setUp() {
  const service = await createTestService();
  const [configurations, workflows] = [
    createModelConfigurationsApp(service.deps),
    createWorkflowsApp(service.deps),
  ];
  const ask = asking((at) => (at.startsWith(path) ? configurations : workflows), service.authorize());
  const configuration = async (fields = {}) =>
    ModelConfiguration.parse((await ask("POST", path, { ...minimal, name: v7(), ...fields })).json);
  const workflow = async (fields: object) =>
    await ask("POST", "/v1/workflows", { main_prompt: "Open the shop.", ...fields });
  return { ...service, ask, configuration, workflow };
}

type Answer = { readonly status: number; readonly json: { detail: { loc: unknown; type: string }[] } };
const problems = ({ status, json }: Answer) => [status, json.detail.map(({ loc, type }) => [loc, type])];

describe("POST /v1/model-configurations", () => {
  it("makes one of a name, a provider and a model, which is asked by the defaults", async () => {
    const { ask, organizationId } = await setUp();
    const { status, json } = await ask("POST", path, minimal);
    expect(status).toBe(201);
    expect(ModelConfiguration.parse(json)).toEqual({
      ...minimal,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organization_id: organizationId,
      is_system: false,
      is_system_default: false,
      description: "",
      temperature: null,
      max_output_tokens: null,
      max_tokens: null,
      timeout_seconds: 120,
      additional_params: {},
      is_computer_use_model: true,
      is_archived: false,
      api_key: null,
      created_at: expect.any(String),
      updated_at: json.created_at,
    });
    expect((await ask("GET", `${path}/${json.id}`)).json).toEqual(json);
  });

  it.each([
    "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "tunedModels/invoices-x1",
    "gemini-3-pro@001",
  ])("takes the name %s", async (model) => {
    const { ask } = await setUp();
    expect((await ask("POST", path, { ...minimal, model })).status).toBe(201);
  });

  it.each([
    ...["../../../admin/../v1/files?x=", "../../endpoints/1:undeployModel?x=", "a/../b", "..", "a:.", "./a"],
    ...["a b", "a#b", "a%2e", "/a", "a/", "a//b", "a\nb"],
  ])("answers 422 to the name %j, which an address would take for a path", async (model) => {
    const { ask } = await setUp();
    const answer = await ask("POST", path, { ...minimal, model });
    expect(problems(answer)).toEqual([422, [[["body", "model"], "string_pattern_mismatch"]]]);
  });

  it.each([
    ["more settings", { additional_params: { a: "x".repeat(4_089) } }, "additional_params", "value_error"],
  ])("answers 422 to %s", async (_what, fields, field, type) => {
    const { ask } = await setUp();
    expect(problems(await ask("POST", path, { ...minimal, ...fields }))).toEqual([
      422,
      [[["body", field], type]],
    ]);
  });

  it("answers 409 to a name that another one has, also one of the service's own", async () => {
    const { ask, configuration } = await setUp();
    const { id, name } = await configuration();
    const twin = await ask("POST", path, { ...minimal, name });
    const taken = { error_code: "name_taken", details: { model_configuration_id: id } };
    expect([twin.status, twin.json]).toEqual([409, expect.objectContaining(taken)]);
    const {
      json: [system],
    } = await ask("GET", path);
    const { json } = await ask("POST", path, { ...minimal, name: system.name });
    expect(json).toMatchObject({ ...taken, details: { model_configuration_id: system.id } });
  });
});

describe("GET /v1/model-configurations", () => {
  it("lists the service's own, two or more of each slot, and the organization's after them", async () => {
    const { ask, configuration } = await setUp();
    const own = [await configuration(), await configuration()];
    const all = (await ask("GET", path)).json.map((each: unknown) => ModelConfiguration.parse(each));
    expect(all.slice(-2)).toEqual(own);
    const system: ModelConfiguration[] = all.slice(0, -2);
    for (const one of system) expect(one).toMatchObject({ is_system: true, organization_id: null });
    for (const providers of Object.values(coveredProviders)) {
      const covered = system.filter(({ provider }) => (providers as readonly string[]).includes(provider));
      expect(covered.length).toBeGreaterThan(1);
    }
    for (const field of ["id", "name"] as const) {
      expect(new Set(system.map((each) => each[field])).size).toBe(system.length);
    }
    expect((await ask("GET", `${path}/${system[0]?.id}`)).json).toEqual(system[0]);
  });
});

describe("PATCH /v1/model-configurations/{model_configuration_id}", () => {
  it("changes the fields given, clears by null, and leaves the others", async () => {
    const { ask, configuration, stores } = await setUp();
    const made = await configuration({ temperature: 1, additional_params: { a: 1 }, description: "d" });
    stores.clock.advance(1_000);
    const change = { temperature: null, additional_params: {}, name: "Renamed" };
    const { status, json } = await ask("PATCH", `${path}/${made.id}`, change);
    expect([status, json]).toEqual([200, { ...made, ...change, updated_at: json.updated_at }]);
    expect(json.updated_at > made.updated_at).toBe(true);
    expect((await ask("GET", `${path}/${made.id}`)).json).toEqual(json);
  });

  it("answers 409 to a name that another one has", async () => {
    const { ask, configuration } = await setUp();
    const [one, other] = [await configuration(), await configuration()];
    const { status, json } = await ask("PATCH", `${path}/${one.id}`, { name: other.name });
    expect([status, json.error_code, json.details]).toEqual([
      ...[409, "name_taken", { model_configuration_id: other.id }],
    ]);
  });

  it.each(["PATCH", "DELETE"])("(and %s) leaves the service's own alone: 409", async (method) => {
    const { ask } = await setUp();
    const body = method === "PATCH" ? { description: "mine" } : undefined;
    const { status, json } = await ask(method, `${path}/${ofTheService}`, body);
    expect([status, json.error_code]).toEqual([409, "conflict"]);
  });
});

describe("DELETE /v1/model-configurations/{model_configuration_id}", () => {
  it("answers 409 while workflows name it, and says how many", async () => {
    const { ask, configuration, workflow } = await setUp();
    const { id } = await configuration();
    const { json: main } = await workflow({ model_configuration_id: id });
    await workflow({ model_configuration_id: ofTheService, fallback_model_configuration_ids: [id] });
    const refused = await ask("DELETE", `${path}/${id}`);
    expect([refused.status, refused.json.error_code, refused.json.details]).toEqual([
      ...[409, "conflict", { workflow_count: 2 }],
    ]);
    await ask("PATCH", `/v1/workflows/${main.id}`, { model_configuration_id: null });
    expect((await ask("DELETE", `${path}/${id}`)).json.details).toEqual({ workflow_count: 1 });
  });
});

describe("a workflow's models", () => {
  it("are none at first, and the configurations that it names", async () => {
    const { ask, configuration, workflow } = await setUp();
    const { json: plain } = await workflow({});
    const none = { model_configuration_id: null, fallback_model_configuration_ids: [], max_tokens: null };
    expect(Workflow.parse(plain)).toMatchObject(none);
    const { id } = await configuration();
    const fields = {
      model_configuration_id: id,
      fallback_model_configuration_ids: [ofTheService],
      max_tokens: 50_000,
    };
    const { status, json } = await workflow(fields);
    expect([status, json]).toEqual([201, expect.objectContaining({ ...fields, model_metadata: null })]);
    const patched = await ask("PATCH", `/v1/workflows/${plain.id}`, fields);
    expect([patched.status, patched.json]).toEqual([200, expect.objectContaining(fields)]);
    const cleared = await ask("PATCH", `/v1/workflows/${plain.id}`, none);
    expect([cleared.status, cleared.json]).toEqual([200, expect.objectContaining(none)]);
  });

  const metadata = { provider: "anthropic", model: "a-model" };
  const another = "01a2008d-7400-7000-8000-000000000002";
  it.each([
    [
      "both kinds",
      { model_metadata: metadata, model_configuration_id: ofTheService },
      "model_configuration_id",
    ],
    ["fallbacks alone", { fallback_model_configuration_ids: [another] }, "fallback_model_configuration_ids"],
    [
      "itself as fallback",
      { model_configuration_id: another, fallback_model_configuration_ids: [another] },
      "fallback_model_configuration_ids",
    ],
  ])("are refused where they do not go together: %s", async (_what, fields, field) => {
    const { ask, workflow } = await setUp();
    const refused = [422, [[["body", field], "value_error"]]];
    expect(problems(await workflow(fields))).toEqual(refused);
    const { json } = await workflow({});
    expect(problems(await ask("PATCH", `/v1/workflows/${json.id}`, fields))).toEqual(refused);
  });

  it.each([
    ["the same twice", [another, another], ["body", "fallback_model_configuration_ids", 1]],
    [
      "three",
      [another, another.replace(/2$/, "3"), another.replace(/2$/, "4")],
      ["body", "fallback_model_configuration_ids"],
    ],
  ])("have at most two other fallbacks: not %s", async (_what, ids, loc) => {
    const { workflow } = await setUp();
    const fields = { model_configuration_id: ofTheService, fallback_model_configuration_ids: ids };
    const { status, json } = await workflow(fields);
    expect([status, json.detail[0].loc]).toEqual([422, loc]);
  });

  it("are judged together with what is stored", async () => {
    const { ask, workflow } = await setUp();
    const { json } = await workflow({ model_metadata: metadata });
    const at = `/v1/workflows/${json.id}`;
    const id = { model_configuration_id: ofTheService };
    expect((await ask("PATCH", at, id)).status).toBe(422);
    expect((await ask("PATCH", at, { ...id, model_metadata: null })).status).toBe(200);
    expect((await ask("PATCH", at, { model_metadata: metadata })).status).toBe(422);
    expect(
      (await ask("PATCH", at, { model_metadata: metadata, model_configuration_id: null })).json,
    ).toMatchObject({ model_metadata: metadata, model_configuration_id: null });
  });

  it("are there: 404 for a configuration that is not, and for another organization's", async () => {
    const { ask, workflow } = await setUp();
    const elsewhere = await setUp();
    const theirs = await elsewhere.configuration();
    const withdrawn = "01a2008d-7400-7000-8000-000000999999";
    const { json } = await workflow({});
    for (const id of [v7(), theirs.id, withdrawn]) {
      const answers = [
        await workflow({ model_configuration_id: id }),
        await workflow({ model_configuration_id: ofTheService, fallback_model_configuration_ids: [id] }),
        await ask("PATCH", `/v1/workflows/${json.id}`, { model_configuration_id: id }),
      ];
      expect(answers.map(({ status, json: body }) => [status, body.error_code])).toEqual(
        Array.from({ length: 3 }, () => [404, "not_found"]),
      );
    }
  });
});
