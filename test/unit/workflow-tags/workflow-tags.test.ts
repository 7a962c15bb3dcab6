import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createWorkflowTagsApp } from "../../../functions/workflow-tags/app.ts";
import { TagGroup, WorkflowTag } from "../../../shared/contract/workflow-tag.ts";
import { assignTags } from "../../../shared/domain/workflow-tag/assign-tags.ts";
import { aWorkflow } from "../../support/builders/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const app = createWorkflowTagsApp(service.deps);
  const { organizationId, stores } = service;
  const ask = asking(app, service.authorize());
  const newTag = async (fields: Record<string, unknown> = {}) =>
    WorkflowTag.parse((await ask("POST", "/v1/workflow-tags", { name: v7(), ...fields })).json);
  const newGroup = async (fields: Record<string, unknown> = {}) =>
    TagGroup.parse((await ask("POST", "/v1/workflow-tag-groups", { name: v7(), ...fields })).json);
  const tagged = async (...tags: readonly { readonly id: string }[]) => {
    const workflow = aWorkflow({ organizationId });
    await stores.workflows.create(workflow);
    const scopes = ["write"] as const;
    const caller = {
      kind: "api_key",
      organizationId,
      userId: v7(),
      principal: "k",
      keyId: "k",
      scopes,
    } as const;
    await assignTags(stores, caller, { workflowId: workflow.id, tagIds: tags.map(({ id }) => id) });
    return workflow;
  };
  const listed = async (query = "") => {
    const { json } = await ask("GET", `/v1/workflow-tags${query}`);
    return json.map((tag: unknown) => WorkflowTag.parse(tag).id);
  };
  return { ...service, ask, newTag, newGroup, tagged, listed };
}

const problem = (json: { detail: { loc: unknown; type: string }[] }) =>
  json.detail.map(({ loc, type }) => [loc, type]);

const kinds = ["/v1/workflow-tags", "/v1/workflow-tag-groups"] as const;

describe.each(kinds)("POST %s", (path) => {
  it("makes one of a name alone", async () => {
    const { ask, organizationId } = await setUp();
    const { status, json } = await ask("POST", path, { name: "urgent" });
    expect(status).toBe(201);
    const plain = {
      name: "urgent",
      organization_id: organizationId,
      order: 0,
      description: "",
      emoji: "",
      color: "",
    };
    expect(json).toMatchObject(plain);
    if (path === kinds[0]) {
      const rest = { group_id: null, group: null, is_archived: false, workflow_count: 0 };
      expect(WorkflowTag.parse(json)).toMatchObject(rest);
    } else TagGroup.parse(json);
    expect((await ask("GET", `${path}/${json.id}`)).json).toEqual(json);
  });
  it("answers 409 to a name that is taken, and 201 once it is free", async () => {
    const { ask } = await setUp();
    const { json: first } = await ask("POST", path, { name: "urgent" });
    const refused = await ask("POST", path, { name: "urgent" });
    expect([refused.status, refused.json]).toEqual([
      409,
      expect.objectContaining({ error_code: "name_taken", details: { id: first.id } }),
    ]);
    expect((await ask("POST", path, { name: "Urgent" })).status).toBe(201);
    await ask("PATCH", `${path}/${first.id}`, { name: "later" });
    expect((await ask("POST", path, { name: "urgent" })).status).toBe(201);
    expect((await ask("PATCH", `${path}/${first.id}`, { name: "urgent" })).json.error_code).toBe(
      "name_taken",
    );
    await ask("DELETE", `${path}/${first.id}`);
    expect((await ask("POST", path, { name: "later" })).status).toBe(201);
  });
});

describe.each(kinds)("PUT %s/reorder", (path) => {
  it("puts those named into the order given, in the places that they have", async () => {
    const { ask } = await setUp();
    const make = async (order: number) => (await ask("POST", path, { name: v7(), order })).json.id as string;
    const [a, b, c, d] = [await make(1), await make(5), await make(5), await make(3)];
    expect((await ask("PUT", `${path}/reorder`, { ids: [c, a, b] })).status).toBe(204);
    const { json } = await ask("GET", path);
    expect(json.map(({ id, order }: { id: string; order: number }) => [id, order])).toEqual([
      [c, 1],
      [d, 3],
      [a, 5],
      [b, 6],
    ]);
  });

  it("takes 1 to 90 ids, each once", async () => {
    const { ask } = await setUp();
    const ids: string[] = [];
    for (let count = 0; count < 90; count += 1) {
      ids.unshift((await ask("POST", path, { name: v7() })).json.id);
    }
    expect((await ask("PUT", `${path}/reorder`, { ids })).status).toBe(204);
    expect((await ask("GET", path)).json.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await ask("PUT", `${path}/reorder`, { ids: [...ids, v7()] })).status).toBe(422);
    expect((await ask("PUT", `${path}/reorder`, { ids: [] })).status).toBe(422);
    const twice = await ask("PUT", `${path}/reorder`, { ids: [ids[0], ids[1], ids[0]] });
    expect([twice.status, problem(twice.json)]).toEqual([422, [[["body", "ids", 2], "value_error"]]]);
  });
});

describe("GET /v1/workflow-tags", () => {
  it("has ungrouped tags first, then by the group's order, then by the tag's, then by age", async () => {
    const { newTag, newGroup, listed } = await setUp();
    const late = await newGroup({ order: 2 });
    const early = await newGroup({ order: 1 });
    const inLate = await newTag({ group_id: late.id, order: 0 });
    const inEarly2 = await newTag({ group_id: early.id, order: 2 });
    const inEarly1 = await newTag({ group_id: early.id, order: 1 });
    const plain9 = await newTag({ order: 9 });
    const plain3 = await newTag({ order: 3 });
    const plain3b = await newTag({ order: 3 });
    expect(await listed()).toEqual([plain3, plain3b, plain9, inEarly1, inEarly2, inLate].map(({ id }) => id));
  });

  it("hides archived tags unless they are asked for, and takes true and false only", async () => {
    const { ask, newTag, listed } = await setUp();
    const [shown, hidden] = [await newTag(), await newTag()];
    await ask("POST", `/v1/workflow-tags/${hidden.id}/archive`);
    expect(await listed()).toEqual([shown.id]);
    expect(await listed("?include_archived=false")).toEqual([shown.id]);
    expect(await listed("?include_archived=true")).toEqual([shown.id, hidden.id]);
    expect((await ask("GET", "/v1/workflow-tags?include_archived=1")).status).toBe(422);
  });
});

describe("POST /v1/workflow-tags/{tag_id}/archive and /unarchive", () => {
  it("archive and take back, the same again without harm", async () => {
    const { ask, newTag, tagged, stores } = await setUp();
    const tag = await newTag();
    const workflow = await tagged(tag);
    stores.clock.advance(1_000);
    const archived = await ask("POST", `/v1/workflow-tags/${tag.id}/archive`);
    expect(archived.status).toBe(200);
    expect(WorkflowTag.parse(archived.json)).toMatchObject({ is_archived: true, workflow_count: 1 });
    stores.clock.advance(1_000);
    expect((await ask("POST", `/v1/workflow-tags/${tag.id}/archive`)).json).toEqual(archived.json);
    const now = await stores.workflows.find(workflow.organizationId, workflow.id);
    expect(now?.tagIds).toEqual([tag.id]);
    const back = await ask("POST", `/v1/workflow-tags/${tag.id}/unarchive`);
    expect(back.json).toMatchObject({ is_archived: false });
    await expect(tagged(tag)).resolves.toBeDefined();
  });
});

describe("PATCH /v1/workflow-tags/{tag_id}", () => {
  it("changes the fields given and leaves the others", async () => {
    const { ask, newTag, newGroup, stores } = await setUp();
    const group = await newGroup();
    const tag = await newTag({ description: "d", color: "red", order: 4 });
    stores.clock.advance(1_000);
    const { status, json } = await ask("PATCH", `/v1/workflow-tags/${tag.id}`, {
      color: "",
      group_id: group.id,
    });
    const updated_at = new Date(stores.clock.now()).toISOString();
    expect([status, json]).toEqual([200, { ...tag, color: "", group_id: group.id, group, updated_at }]);
    const out = await ask("PATCH", `/v1/workflow-tags/${tag.id}`, { group_id: null });
    expect(out.json).toMatchObject({ group_id: null, group: null, description: "d" });
  });

  it("answers 409 with the workflows that have another tag of the group", async () => {
    const { ask, newTag, newGroup, tagged } = await setUp();
    const group = await newGroup();
    const [inside, outside] = [await newTag({ group_id: group.id }), await newTag()];
    const workflow = await tagged(inside, outside);
    await tagged(outside);
    const { status, json } = await ask("PATCH", `/v1/workflow-tags/${outside.id}`, { group_id: group.id });
    expect([status, json.error_code, json.details]).toEqual([
      409,
      "conflict",
      { workflow_ids: [workflow.id] },
    ]);
    expect((await ask("GET", `/v1/workflow-tags/${outside.id}`)).json.group_id).toBeNull();
  });
});
