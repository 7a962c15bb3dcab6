import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import {
  BulkAssignment,
  Workflow,
  WorkflowList,
  WorkflowVersion,
} from "../../../shared/contract/workflow.ts";
import { WorkflowTag } from "../../../shared/contract/workflow-tag.ts";
import type { WorkflowTag as StoredTag } from "../../../shared/domain/workflow-tag/workflow-tag.ts";
import { aTag, aTagGroup } from "../../support/builders/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const app = createWorkflowsApp(service.deps);
  const { organizationId, stores } = service;
  const ask = asking(app, service.authorize());
  const newWorkflow = async (fields: Record<string, unknown> = {}) =>
    Workflow.parse((await ask("POST", "/v1/workflows", { main_prompt: "Open the shop.", ...fields })).json);
  const newTag = async (fields: Partial<StoredTag> = {}) => {
    const tag = aTag({ organizationId, ...fields });
    await stores.tags.createTag(tag);
    return tag;
  };
  const newGroup = async () => {
    const group = aTagGroup({ organizationId });
    await stores.tags.createGroup(group);
    return group;
  };
  return { ...service, ask, newWorkflow, newTag, newGroup };
}

const problem = (json: { detail: { loc: unknown; type: string }[] }) =>
  json.detail.map(({ loc, type }) => [loc, type]);

describe("POST /v1/workflows", () => {
  it("makes a workflow of a prompt alone", async () => {
    const { ask, organizationId } = await setUp();
    const { status, json } = await ask("POST", "/v1/workflows", { main_prompt: "Open the shop." });
    expect(status).toBe(201);
    const workflow = Workflow.parse(json);
    expect(workflow).toMatchObject({
      name: "",
      main_prompt: "Open the shop.",
      input_schema: null,
      output_schema: null,
      includes_file_exports: false,
      is_webhooks_enabled: false,
      model_metadata: null,
      organization_id: organizationId,
      includes_input_variables: false,
      tags: [],
    });
    expect(workflow.updated_at).toBe(workflow.created_at);
    expect((await ask("GET", `/v1/workflows/${workflow.id}`)).json).toEqual(workflow);
  });

  it("keeps every field that it is given", async () => {
    const { ask } = await setUp();
    const fields = {
      name: "n".repeat(255),
      main_prompt: "Log in as {user} with {$password}.",
      input_schema: { type: "object", properties: { user: { type: "string" } } },
      output_schema: {},
      includes_file_exports: true,
      is_webhooks_enabled: true,
      model_metadata: { provider: "google_vertex", model: "m".repeat(255) },
    };
    const { status, json } = await ask("POST", "/v1/workflows", fields);
    expect([status, json]).toEqual([
      201,
      expect.objectContaining({ ...fields, includes_input_variables: true }),
    ]);
  });

  it.each([
    ["{user}", true],
    ["{$secret}", true],
    ["x {größe.x-1} y", true],
    ["{}", false],
    ["{ user }", false],
    ['{"a": 1}', false],
    ["{1}", false],
    ["user", false],
  ])("says of %s whether it names input variables", async (main_prompt, expected) => {
    const { newWorkflow } = await setUp();
    expect((await newWorkflow({ main_prompt })).includes_input_variables).toBe(expected);
  });

  it.each([
    ["Save it in {exports}.", true, false],
    ["Save it in {exports}.", false, true],
    ["Save {file} in {exports}.", true, true],
    ["Type {$exports}.", true, true],
  ])(
    "takes the {exports} of %s with file exports %s for no input: %s",
    async (main_prompt, isWith, expected) => {
      const { newWorkflow } = await setUp();
      const made = await newWorkflow({ main_prompt, includes_file_exports: isWith });
      expect(made.includes_input_variables).toBe(expected);
    },
  );

  it.each([
    ["a prompt of 100,000 characters", { main_prompt: "漢".repeat(100_000) }],
    ["characters counted as code points", { main_prompt: `${"😀".repeat(60_000)}` }],
    ["a schema of 64 KB", { main_prompt: "x", input_schema: { a: "x".repeat(65_536 - 8) } }],
    ["an empty name", { main_prompt: "x", name: "" }],
    ["null for what there is none of", { main_prompt: "x", input_schema: null, model_metadata: null }],
  ])("takes %s", async (_what, body) => {
    const { ask } = await setUp();
    const { status, json } = await ask("POST", "/v1/workflows", body);
    expect([status, json.main_prompt]).toEqual([201, body.main_prompt]);
  });

  it.each([
    ["a prompt of too many bytes", { main_prompt: "😀".repeat(80_000) }, ["main_prompt"], "value_error"],
    [
      "prompt and schemas of too many bytes together",
      { main_prompt: "漢".repeat(90_000), input_schema: { a: "x".repeat(40_000) } },
      ["main_prompt"],
      "value_error",
    ],

    [
      "a larger schema",
      { main_prompt: "x", output_schema: { a: "x".repeat(65_536 - 7) } },
      ["output_schema"],
      "value_error",
    ],
    [
      "what is no JSON Schema",
      { main_prompt: "x", input_schema: { properties: { a: { type: "strin" } } } },
      ["input_schema"],
      "value_error",
    ],
    [
      "a schema that needs another one",
      { main_prompt: "x", output_schema: { $ref: "https://example.org/s" } },
      ["output_schema"],
      "value_error",
    ],
  ])("answers 422 to %s", async (_what, body, loc, type) => {
    const { ask } = await setUp();
    const { status, json } = await ask("POST", "/v1/workflows", body);
    expect([status, problem(json)]).toEqual([422, [[["body", ...loc], type]]]);
  });
});

describe("PATCH /v1/workflows/{workflow_id}", () => {
  it("changes the fields given and leaves the others", async () => {
    const { ask, newWorkflow, stores } = await setUp();
    const made = await newWorkflow({ name: "old", input_schema: { a: 1 }, output_schema: { b: 2 } });
    stores.clock.advance(1_000);
    const { status, json } = await ask("PATCH", `/v1/workflows/${made.id}`, { name: "", input_schema: null });
    expect(status).toBe(200);
    const updated_at = new Date(stores.clock.now()).toISOString();
    expect(json).toEqual({ ...made, name: "", input_schema: null, updated_at });
    expect((await ask("GET", `/v1/workflows/${made.id}`)).json).toEqual(json);
  });

  it("leaves the desktop as it is unless it says otherwise", async () => {
    const { ask, newWorkflow } = await setUp();
    expect((await newWorkflow()).leave).toBe("as_is");
    const { id, leave } = await newWorkflow({ leave: "reset" });
    expect(leave).toBe("reset");
    const path = `/v1/workflows/${id}`;
    expect((await ask("GET", path)).json.leave).toBe("reset");
    expect((await ask("PATCH", path, { name: "n" })).json.leave).toBe("reset");
    expect((await ask("PATCH", path, { leave: "as_is" })).json.leave).toBe("as_is");
    expect((await ask("GET", path)).json.leave).toBe("as_is");
    const refused = await ask("PATCH", path, { leave: "open" });
    expect([refused.status, problem(refused.json)]).toEqual([422, [[["body", "leave"], "enum"]]]);
  });

  it("keeps the prompt that goes, and only when it is another one", async () => {
    const { ask, newWorkflow, stores } = await setUp();
    const made = await newWorkflow({ main_prompt: "first" });
    const path = `/v1/workflows/${made.id}`;
    const moments: string[] = [made.created_at];
    for (const main_prompt of ["first", "second {x}", "third"]) {
      stores.clock.advance(1_000);
      moments.push(new Date(stores.clock.now()).toISOString());
      await ask("PATCH", path, { main_prompt });
    }
    await ask("PATCH", path, { name: "new" });
    const { json } = await ask("GET", `${path}/versions`);
    const versions = json.map((version: unknown) => WorkflowVersion.parse(version));
    expect((await ask("GET", `${path}/versions?skip=1&limit=1`)).json).toEqual(versions.slice(1));
    expect(versions).toEqual([
      expect.objectContaining({ main_prompt: "second {x}", created_at: moments[2], replaced_at: moments[3] }),
      expect.objectContaining({ main_prompt: "first", created_at: moments[0], replaced_at: moments[2] }),
    ]);
  });

  it("answers 422 to a PATCH with what is no JSON Schema, says what is wrong in it, and changes nothing", async () => {
    const { ask, newWorkflow } = await setUp();
    const made = await newWorkflow({ input_schema: { type: "object" } });
    const path = `/v1/workflows/${made.id}`;
    const { status, json } = await ask("PATCH", path, {
      name: "n",
      input_schema: { pattern: "(" },
      output_schema: { type: 1 },
    });
    expect([status, problem(json)]).toEqual([
      422,
      [
        [["body", "input_schema"], "value_error"],
        [["body", "output_schema"], "value_error"],
      ],
    ]);
    expect(json.detail[0].msg).toMatch(/^Value error, is no usable JSON Schema: .*regular expression/);
    expect((await ask("GET", path)).json).toEqual(made);
  });

  it("judges prompt and schemas together, also those that stay", async () => {
    const { ask, newWorkflow } = await setUp();
    const { id } = await newWorkflow({ main_prompt: "漢".repeat(90_000) });
    const input_schema = { a: "x".repeat(40_000) };
    const refused = await ask("PATCH", `/v1/workflows/${id}`, { input_schema });
    expect([refused.status, problem(refused.json)]).toEqual([
      422,
      [[["body", "main_prompt"], "value_error"]],
    ]);
    expect((await ask("PATCH", `/v1/workflows/${id}`, { main_prompt: "x", input_schema })).status).toBe(200);
  });

  it("loses no prompt of ten changes at once", async () => {
    const { ask, newWorkflow } = await setUp();
    const { id } = await newWorkflow();
    const prompts = Array.from({ length: 10 }, (_, index) => `prompt ${index}`);
    await Promise.all(prompts.map((main_prompt) => ask("PATCH", `/v1/workflows/${id}`, { main_prompt })));
    const now = (await ask("GET", `/v1/workflows/${id}`)).json.main_prompt;
    const earlier = (await ask("GET", `/v1/workflows/${id}/versions`)).json.map(
      (version: { main_prompt: string }) => version.main_prompt,
    );
    expect([now, ...earlier].sort()).toEqual(["Open the shop.", ...prompts].sort());
  });
});

describe("GET /v1/workflows", () => {
  it("answers a page, with tags only when they are asked for", async () => {
    const { ask, newWorkflow, newTag, stores } = await setUp();
    const tag = await newTag();
    const first = await newWorkflow({ name: "first" });
    stores.clock.advance(1_000);
    await newWorkflow({ name: "second" });
    await ask("POST", `/v1/workflows/${first.id}/tags`, { tag_ids: [tag.id] });
    const plain = WorkflowList.parse((await ask("GET", "/v1/workflows?limit=1&skip=1")).json);
    expect(plain).toMatchObject({ total: 2, skip: 1, limit: 1, items: [{ id: first.id }] });
    expect(plain.items[0]).not.toHaveProperty("tags");
    const { items } = WorkflowList.parse((await ask("GET", "/v1/workflows?include_tags=true")).json);
    expect(items.map(({ tags }) => tags?.map(({ id }) => id))).toEqual([[], [tag.id]]);
  });

  it("hands every filter on", async () => {
    const { ask, newWorkflow, newTag, stores } = await setUp();
    const [red, green] = [await newTag(), await newTag()];
    const wanted = await newWorkflow({ name: "Till" });
    await ask("POST", `/v1/workflows/${wanted.id}/tags`, { tag_ids: [red.id, green.id] });
    await newWorkflow({ name: "Till" });
    const from = encodeURIComponent(new Date(stores.clock.now()).toISOString());
    const until = encodeURIComponent(new Date(stores.clock.now() + 1_000).toISOString());
    const found = async (query: string) => {
      const { items } = WorkflowList.parse((await ask("GET", `/v1/workflows?${query}`)).json);
      return items.map(({ id }) => id);
    };
    expect(await found(`search=TILL&tag_ids=${red.id},${green.id}&created_at_to=${until}`)).toEqual([
      wanted.id,
    ]);
    expect(await found(`tag_ids=${red.id}&tag_ids=${green.id}&updated_at_from=${from}`)).toEqual([wanted.id]);
    expect(await found(`search=till&created_at_from=${until}`)).toEqual([]);
    expect(await found(`search=till&updated_at_to=${from}`)).toHaveLength(2);
    expect(await found(`tag_ids=${v7()}`)).toEqual([]);
  });

  it.each([
    ["search=", ["search"], "string_too_short"],
    [`search=${"x".repeat(256)}`, ["search"], "string_too_long"],
    ["include_tags=yes", ["include_tags"], "bool_parsing"],
    ["tag_ids=1", ["tag_ids", 0], "uuid_parsing"],
    [`tag_ids=${Array.from({ length: 11 }, () => v7()).join(",")}`, ["tag_ids"], "too_long"],
    ["updated_at_from=yesterday", ["updated_at_from"], "datetime_parsing"],
    ["limit=1001", ["limit"], "less_than_equal"],
  ])("answers 422 to %s", async (query, loc, type) => {
    const { ask } = await setUp();
    const { status, json } = await ask("GET", `/v1/workflows?${query}`);
    expect([status, problem(json)]).toEqual([422, [[["query", ...loc], type]]]);
  });
});

describe("POST /v1/workflows/{workflow_id}/tags", () => {
  it("adds tags to those that the workflow has, and answers all of them", async () => {
    const { ask, newWorkflow, newTag } = await setUp();
    const { id } = await newWorkflow();
    const [red, green] = [await newTag({ order: 2 }), await newTag({ order: 1 })];
    await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: [red.id] });
    const { status, json } = await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: [green.id, green.id] });
    expect(status).toBe(200);
    const tags = json.map((tag: unknown) => WorkflowTag.parse(tag));
    expect(tags.map((tag: WorkflowTag) => [tag.id, tag.workflow_count])).toEqual([
      [green.id, 1],
      [red.id, 1],
    ]);
    expect((await ask("GET", `/v1/workflows/${id}/tags`)).json).toEqual(json);
    expect((await ask("GET", `/v1/workflows/${id}`)).json.tags).toEqual(json);
  });

  it("answers 422 to two tags of one group, naming the second", async () => {
    const { ask, newWorkflow, newTag, newGroup } = await setUp();
    const { id } = await newWorkflow();
    const groupId = (await newGroup()).id;
    const tag_ids = [(await newTag()).id, (await newTag({ groupId })).id, (await newTag({ groupId })).id];
    const { status, json } = await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids });
    expect([status, problem(json)]).toEqual([422, [[["body", "tag_ids", 2], "value_error"]]]);
  });

  it("answers 409 to an archived tag, but for one that the workflow has", async () => {
    const { ask, newWorkflow, newTag, stores } = await setUp();
    const { id } = await newWorkflow();
    const tag = await newTag();
    await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: [tag.id] });
    const [now] = await stores.tags.findTags(tag.organizationId, [tag.id]);
    if (now) await stores.tags.updateTag(now, { ...now, isArchived: true, revision: now.revision + 1 });
    const again = await ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: [tag.id] });
    expect([again.status, again.json]).toEqual([200, [expect.objectContaining({ is_archived: true })]]);
    const other = await newWorkflow();
    const refused = await ask("POST", `/v1/workflows/${other.id}/tags`, { tag_ids: [tag.id] });
    expect([refused.status, refused.json.error_code]).toEqual([409, "tag_archived"]);
  });

  it("keeps a workflow to 50 tags, and a request to 19", async () => {
    const { ask, newWorkflow, newTag } = await setUp();
    const { id } = await newWorkflow();
    const ids: string[] = [];
    for (let count = 0; count < 51; count += 1) ids.push((await newTag()).id);
    const add = (from: number, to: number) =>
      ask("POST", `/v1/workflows/${id}/tags`, { tag_ids: ids.slice(from, to) });
    expect((await add(0, 20)).status).toBe(422);
    expect((await add(0, 0)).status).toBe(422);
    for (const [from, to] of [
      [0, 19],
      [19, 38],
      [38, 50],
    ] as const) {
      expect((await add(from, to)).status).toBe(200);
    }
    expect((await add(50, 51)).json).toMatchObject({ error_code: "limit_reached", details: { max: 50 } });
  });
});

describe("POST /v1/workflows/bulk/tags", () => {
  it("gives every workflow the tags or says why not", async () => {
    const { ask, newWorkflow, newTag, newGroup } = await setUp();
    const groupId = (await newGroup()).id;
    const [low, high] = [await newTag({ groupId }), await newTag({ groupId })];
    const [one, two] = [await newWorkflow(), await newWorkflow()];
    await ask("POST", `/v1/workflows/${two.id}/tags`, { tag_ids: [low.id] });
    const missing = v7();
    const body = { workflow_ids: [one.id, missing, two.id, one.id], tag_ids: [high.id] };
    const { status, json } = await ask("POST", "/v1/workflows/bulk/tags", body);
    expect(status).toBe(200);
    expect(BulkAssignment.parse(json)).toEqual({
      updated_workflows: [
        { workflow_id: one.id, tag_ids: [high.id] },
        { workflow_id: two.id, tag_ids: [high.id] },
      ],
      failed_count: 1,
      errors: [{ workflow_id: missing, error_code: "not_found", message: expect.any(String) }],
    });
  });

  it("does nothing when a tag is not there, and takes 1 to 50 workflows", async () => {
    const { ask, newWorkflow, newTag } = await setUp();
    const { id } = await newWorkflow();
    const tag = await newTag();
    const bulk = (workflow_ids: readonly string[], tag_ids: readonly string[]) =>
      ask("POST", "/v1/workflows/bulk/tags", { workflow_ids, tag_ids });
    expect((await bulk([id], [tag.id, v7()])).status).toBe(404);
    expect((await ask("GET", `/v1/workflows/${id}/tags`)).json).toEqual([]);
    const others = Array.from({ length: 50 }, () => v7());
    expect((await bulk(others, [tag.id])).json).toMatchObject({ failed_count: 50 });
    expect((await bulk([...others, id], [tag.id])).status).toBe(422);
    expect((await bulk([], [tag.id])).status).toBe(422);
  });
});
