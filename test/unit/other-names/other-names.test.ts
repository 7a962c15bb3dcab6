import { describe, expect, it } from "vitest";
import { createModelConfigurationsApp } from "../../../functions/model-configurations/app.ts";
import { createWorkflowTagsApp } from "../../../functions/workflow-tags/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { ModelConfiguration } from "../../../shared/contract/model-configuration.ts";
import { WorkflowList, WorkflowResponse } from "../../../shared/contract/workflow.ts";
import { WorkflowTag } from "../../../shared/contract/workflow-tag.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

type Answer = { readonly status: number; readonly json: { detail: { loc: unknown; type: string }[] } };
const problems = ({ status, json }: Answer) => [status, json.detail.map(({ loc, type }) => [loc, type])];

async function setUp() {
  const service = await createTestService();
  const apps = {
    "/v1/model-configurations": createModelConfigurationsApp(service.deps),
    "/v1/workflow-tags": createWorkflowTagsApp(service.deps),
    "/v1/workflows": createWorkflowsApp(service.deps),
  };
  const appOf = (path: string) => {
    const [found] = Object.entries(apps).filter(([begin]) => path.startsWith(begin));
    if (found === undefined) throw new Error(`no app serves ${path}`);
    return found[1];
  };
  return { ...service, ask: asking(appOf, service.authorize()) };
}

describe("a model configuration", () => {
  const path = "/v1/model-configurations";
  const minimal = { name: "Careful", provider: "anthropic", model: "claude-opus-5-5" };

  it("takes max_tokens for max_output_tokens, and answers both", async () => {
    const { ask } = await setUp();
    const made = ModelConfiguration.parse(
      (await ask("POST", path, { ...minimal, max_tokens: 4_096, is_archived: false, api_key: null })).json,
    );
    expect(made).toMatchObject({ max_tokens: 4_096, max_output_tokens: 4_096 });
    expect(made).toMatchObject({ is_system_default: false, is_archived: false, api_key: null });
    const change = async (body: object) => (await ask("PATCH", `${path}/${made.id}`, body)).json;
    expect(await change({ name: "Careful, too" })).toMatchObject({ max_tokens: 4_096 });
    expect(await change({ max_tokens: 5, max_output_tokens: 5 })).toMatchObject({ max_output_tokens: 5 });
    expect(await change({ max_tokens: null })).toMatchObject({ max_tokens: null, max_output_tokens: null });
  });

  it("keeps the note is_computer_use_model, which is true by default", async () => {
    const { ask } = await setUp();
    const made = ModelConfiguration.parse((await ask("POST", path, minimal)).json);
    expect(made.is_computer_use_model).toBe(true);
    const changed = await ask("PATCH", `${path}/${made.id}`, { is_computer_use_model: false });
    expect(changed.json).toMatchObject({ is_computer_use_model: false });
    const same = await ask("PATCH", `${path}/${made.id}`, { is_computer_use_model: null, is_archived: null });
    expect(same.json).toMatchObject({ is_computer_use_model: false, is_archived: false });
  });

  it.each([
    ["two names that differ", { max_output_tokens: 1, max_tokens: 2 }, "max_tokens", "value_error"],
    ["null against a number", { max_output_tokens: 1, max_tokens: null }, "max_tokens", "value_error"],
    ["a value out of bounds by the other name", { max_tokens: 0 }, "max_tokens", "greater_than_equal"],
    ["is_archived true", { is_archived: true }, "is_archived", "value_error"],
    ["a key of a provider", { api_key: "sk-0123456789" }, "api_key", "string_too_long"],
  ])("answers 422 to %s", async (_what, fields, field, type) => {
    const { ask } = await setUp();
    const answer = await ask("POST", path, { ...minimal, ...fields });
    expect(problems(answer)).toEqual([422, [[["body", field], type]]]);
    expect(answer.text).not.toContain("sk-0123456789");
  });
});

it("archives a tag, and takes it back, by a PATCH of is_archived", async () => {
  const { ask } = await setUp();
  const { id } = WorkflowTag.parse((await ask("POST", "/v1/workflow-tags", { name: "Invoices" })).json);
  for (const is_archived of [true, false, false]) {
    const { json } = await ask("PATCH", `/v1/workflow-tags/${id}`, { is_archived });
    expect(WorkflowTag.parse(json)).toMatchObject({ id, is_archived });
  }
});

describe("include=tags of workflows", () => {
  it("lists each tag once beside the workflows, which have them too", async () => {
    const { ask } = await setUp();
    const tag = WorkflowTag.parse((await ask("POST", "/v1/workflow-tags", { name: "Invoices" })).json);
    for (const name of ["one", "two"]) {
      const made = await ask("POST", "/v1/workflows", { name, main_prompt: "Open the shop." });
      const { id } = WorkflowResponse.parse(made.json);
      await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: [tag.id] });
    }
    const { items, included } = WorkflowList.parse((await ask("GET", "/v1/workflows?include=tags")).json);
    expect(items.map(({ tags }) => tags?.map(({ id }) => id))).toEqual([[tag.id], [tag.id]]);
    expect(included).toEqual([{ ...tag, type: "workflow_tag", workflow_count: 2 }]);
    const one = await ask("GET", `/v1/workflows/${items[0]?.id}?include=tags`);
    expect(WorkflowResponse.parse(one.json).included).toEqual(included);
    const bare = WorkflowList.parse((await ask("GET", "/v1/workflows")).json);
    expect([bare.included, bare.items.map(({ tags }) => tags)]).toEqual([undefined, [undefined, undefined]]);
  });
});
