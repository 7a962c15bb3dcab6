import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { Workflow } from "../../../shared/contract/workflow.ts";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { duplicateWorkflow } from "../../../shared/domain/trajectory/duplicate-workflow.ts";
import { anIdempotency } from "../../support/builders/entities.ts";
import { aModelConfiguration, aTag, aTagGroup } from "../../support/builders/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp(fields = {}) {
  const service = await createTestService();
  const { stores, organizationId } = service;
  const app = createTrajectoriesApp(service.deps);
  const configuration = aModelConfiguration({ organizationId });
  await stores.modelConfigurations.create(configuration);
  const workflow = await stores.put.workflow({
    organizationId,
    name: "Invoices",
    inputSchema: { type: "object" },
    maxSteps: 7,
    modelConfigurationId: configuration.id,
    isWebhooksEnabled: true,
    ...fields,
  });
  const post = asking(app, service.authorize());
  const ask = (body?: unknown, headers = {}) =>
    post("POST", `/v1/workflows/${workflow.id}/duplicate`, body, headers);
  const trajectory = async (name: string) => {
    stores.clock.advance(1);
    const createdAt = new Date(stores.clock.now()).toISOString();
    const made = { organizationId, workflowId: workflow.id, name, createdAt, isApproved: true };
    return await stores.put.trajectory(made);
  };
  const namesOf = async (workflowId: string) => {
    const wanted = { withData: true };
    const page = { skip: 0, limit: 1_000 };
    const { items } = await stores.trajectories.list(organizationId, { workflowId }, page, wanted);
    return items.map(({ name, isApproved, isMain }) => [name, isApproved, isMain]);
  };
  return { ...service, stores, organizationId, configuration, workflow, ask, trajectory, namesOf };
}

describe("POST /v1/workflows/{workflow_id}/duplicate", () => {
  it("copies prompt, schemas and settings under a name of its own", async () => {
    const { ask, stores, workflow, configuration, organizationId } = await setUp();
    const { status, json } = await ask();
    expect(status).toBe(201);
    const copy = await stores.workflows.find(organizationId, String(json.id));
    const own = { id: json.id, name: "Invoices (Copy)", userId: expect.any(String), revision: 1 };
    const at = { createdAt: json.created_at, updatedAt: json.created_at, promptSetAt: json.created_at };
    expect(copy).toEqual({ ...workflow, ...own, ...at });
    expect(await stores.modelConfigurations.remove(organizationId, configuration.id)).toMatchObject({
      kind: "named",
      workflowCount: 2,
    });
    expect(Workflow.parse((await ask({ name: "Mine" })).json).name).toBe("Mine");
  });

  it("names the copy within the bounds of a name", async () => {
    const { ask } = await setUp({ name: "x".repeat(255) });
    expect((await ask()).json.name).toBe(`${"x".repeat(248)} (Copy)`);
    const unnamed = await setUp({ name: "" });
    expect((await unnamed.ask()).json.name).toBe("(Copy)");
  });

  it("copies its tags, however many, but for archived ones", async () => {
    const { ask, stores, organizationId, workflow } = await setUp();
    const group = aTagGroup({ organizationId });
    await stores.tags.createGroup(group);
    const tags = Array.from({ length: 25 }, (_, at) =>
      aTag({ organizationId, groupId: at === 3 ? group.id : null, order: at }),
    );
    for (const tag of tags) await stores.tags.createTag(tag);
    const assign = async (some: typeof tags) => {
      const before = await stores.workflows.find(organizationId, workflow.id);
      if (before === undefined) throw new Error("the workflow is gone");
      const groups = some.includes(tags[3] as never) ? [group] : [];
      const tagIds = [...before.tagIds, ...some.map(({ id }) => id)];
      await stores.tags.assign({ workflow: before, tagIds, added: some, removed: [], groups });
    };
    await assign(tags.slice(0, 15));
    await assign(tags.slice(15));
    const [now] = await stores.tags.findTags(organizationId, [tags[0]?.id ?? ""]);
    if (now) await stores.tags.updateTag(now, { ...now, isArchived: true, revision: now.revision + 1 });
    const { json } = await ask();
    const copied = Workflow.parse(json).tags.map(({ id }) => id);
    expect(new Set(copied)).toEqual(new Set(tags.slice(1).map(({ id }) => id)));
  });

  it("copies its trajectories where that is wanted, in their order and not approved", async () => {
    const { ask, trajectory, namesOf, workflow } = await setUp();
    for (const name of ["first", "second", "third"]) await trajectory(name);
    expect(await namesOf(String((await ask()).json.id))).toEqual([]);
    const { json } = await ask({ include_trajectories: true });
    const copied = await namesOf(String(json.id));
    expect(copied).toHaveLength(3);
    expect(copied).toEqual(
      (await namesOf(workflow.id)).map(([name]) => [expect.stringContaining(String(name)), false, false]),
    );
  });

  it("goes on with the same copy where an attempt before was interrupted", async () => {
    const service = await setUp();
    const { deps, organizationId, stores, trajectory, namesOf, workflow } = service;
    for (const name of ["first", "second", "third"]) await trajectory(name);
    const caller: Caller = {
      kind: "api_key" as const,
      organizationId,
      userId: randomUUID(),
      principal: "key",
      keyId: "key",
      scopes: ["write"],
    };
    const leased = { ...anIdempotency(organizationId), leased: true };
    let writes = 0;
    const create: typeof stores.trajectories.create = async (...given) => {
      writes += 1;
      if (writes === 2) throw new Error("interrupted");
      return await stores.trajectories.create(...given);
    };
    const trajectories = new Proxy(stores.trajectories, {
      get: (store, name) => {
        const value: unknown = name === "create" ? create : Reflect.get(store, name);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
    const input = { workflowId: workflow.id, includeTrajectories: true };
    const interrupted = duplicateWorkflow({ ...deps, trajectories }, caller, input, leased);
    await expect(interrupted).rejects.toThrow("interrupted");
    const copy = await duplicateWorkflow(deps, caller, input, { ...leased, repeat: true });
    expect(copy.id).toBe(leased.ids[0]);
    expect(await namesOf(copy.id)).toHaveLength(3);
    expect((await stores.workflows.list(organizationId, {}, { skip: 0, limit: 10 })).total).toBe(2);
  });

  it("is 409 where more trajectories are to go along than one request copies", async () => {
    const { ask, trajectory, stores, organizationId } = await setUp();
    for (let made = 0; made < 101; made += 1) await trajectory(`trajectory ${made}`);
    const { status, json } = await ask({ include_trajectories: true });
    expect([status, json.error_code]).toEqual([409, "limit_reached"]);
    expect((await stores.workflows.list(organizationId, {}, { skip: 0, limit: 10 })).total).toBe(1);
  });
});
