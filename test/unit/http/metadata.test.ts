import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFollowingApp } from "../../../functions/following/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { addressOf } from "../../../shared/client/build-request.ts";
import { createTestService, sending } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const workflow = await service.stores.put.workflow({ organizationId: service.organizationId });
  const apps = {
    machines: createMachinesApp(service.deps),
    runs: createRunsApp(service.deps),
    workflows: createWorkflowsApp(service.deps),
    following: createFollowingApp(service.deps),
    duplicates: createTrajectoriesApp(service.deps),
  };
  const appOf = (path: string, method: string) => {
    if (path.endsWith("/duplicate")) return apps.duplicates;
    if (method === "GET" && path.startsWith("/v1/runs/")) return apps.following;
    if (path.startsWith("/v1/runs") || path.startsWith("/v1/settings")) return apps.runs;
    return path.startsWith("/v1/machines") ? apps.machines : apps.workflows;
  };
  const send = sending(appOf, service.authorize());
  const ask = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const bodies = {
    "/v1/runs": () => ({ workflow_id: workflow.id }),
    "/v1/machines": () => ({ fingerprint: randomUUID() }),
    "/v1/workflows": () => ({ main_prompt: "do" }),
  };
  return { ...service, ask, bodies };
}

const resources = ["/v1/runs", "/v1/machines", "/v1/workflows"] as const;

describe.each(resources)("metadata of %s", (path) => {
  it("is kept, answered, merged by PATCH, and removed by null", async () => {
    const { ask, bodies } = await setUp();
    const bare = await ask("POST", path, bodies[path]());
    expect(bare.body.metadata).toEqual({});
    const metadata = { order: "2026-0417", constructor: "a,b]", "x.y-z_": "" };
    const { status, body } = await ask("POST", path, { ...bodies[path](), metadata });
    expect([status, body.metadata]).toEqual([201, metadata]);
    const change = async (changed: unknown, headers = {}) =>
      (await ask("PATCH", `${path}/${body.id}`, { metadata: changed }, headers)).body.metadata;
    const key = { "Idempotency-Key": randomUUID() };
    const merged = { order: "2026-0417", constructor: "c", new: "d" };
    expect(await change({ constructor: "c", "x.y-z_": null, new: "d" }, key)).toEqual(merged);
    expect((await ask("GET", `${path}/${body.id}`)).body.metadata).toEqual(merged);
    expect(await change(null)).toEqual({});
    expect(await change({ constructor: "c", "x.y-z_": null, new: "d" }, key)).toEqual(merged);
    expect((await ask("GET", `${path}/${body.id}`)).body.metadata).toEqual({});
  });

  it("has at most 20 pairs, and keys and values within their bounds", async () => {
    const { ask, bodies } = await setUp();
    const pairs = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, "v"]));
    const refused = [
      pairs("k", 21),
      { "a b": "v" },
      { "": "v" },
      { ["k".repeat(41)]: "v" },
      { k: "v".repeat(201) },
      { k: "a\nb" },
      { k: 1 },
      { k: null },
    ];
    for (const metadata of refused) {
      expect((await ask("POST", path, { ...bodies[path](), metadata })).status).toBe(422);
    }
    const fits = { ...pairs("k", 19), ["k".repeat(40)]: "😀".repeat(200) };
    const { status, body } = await ask("POST", path, { ...bodies[path](), metadata: fits });
    expect([status, body.metadata]).toEqual([201, fits]);
    const tooMany = await ask("PATCH", `${path}/${body.id}`, { metadata: { other: "v" } });
    expect([tooMany.status, tooMany.body.detail[0].loc]).toEqual([422, ["body", "metadata"]]);
    const replaced = { k0: null, other: "v" };
    expect((await ask("PATCH", `${path}/${body.id}`, { metadata: replaced })).status).toBe(200);
  });

  it("filters lists by the whole value of each pair", async () => {
    const { ask, bodies } = await setUp();
    const put = async (metadata: object) =>
      (await ask("POST", path, { ...bodies[path](), metadata })).body.id as string;
    const [one, other] = [await put({ a: "1,2", b: "x" }), await put({ a: "1", b: "x" })];
    await put({ a: "1 ", c: "x" });
    const list = async (metadata: object) => {
      const { status, body } = await ask("GET", addressOf("", path, { query: { metadata } }));
      return [status, body.total, ...body.items.map(({ id }: { id: string }) => id)];
    };
    expect(await list({ a: "1,2" })).toEqual([200, 1, one]);
    expect(await list({ b: "x" })).toEqual([200, 2, other, one]);
    expect(await list({ b: "x", a: "1" })).toEqual([200, 1, other]);
    expect(await list({ toString: "x" })).toEqual([200, 0]);
    const problems = async (query: string) => {
      const { status, body } = await ask("GET", `${path}?${query}`);
      return [status, ...body.detail.map(({ loc }: { loc: unknown[] }) => loc.join("."))];
    };
    expect(await problems("metadata[__proto__]=x")).toEqual([422, "query.metadata[__proto__]"]);
    expect(await problems("metadata[a]=1&metadata[a]=2")).toEqual([422, "query.metadata.a"]);
    expect(await problems("metadata=1&metadata[a]=2")).toEqual([422, "query.metadata", "query.metadata[a]"]);
    expect(await problems("metadata[a b]=1")).toEqual([422, "query.metadata.a b"]);
  });
});

describe("metadata", () => {
  it("goes with each run of a bulk and of a chain, and with a retry", async () => {
    const { ask, bodies } = await setUp();
    const metadata = { order: "7" };
    const { workflow_id } = bodies["/v1/runs"]();
    const bulk = await ask("POST", "/v1/runs/bulk", { workflow_id, metadata, count: 3 });
    const chain = await ask("POST", "/v1/runs/chain", {
      steps: [{ workflow_id }, { workflow_id }],
      metadata,
    });
    const ids = [...bulk.body.created_runs.map(({ id }: { id: string }) => id), ...chain.body.run_ids];
    const { body } = await ask("GET", "/v1/runs?metadata[order]=7");
    expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    expect(bulk.body.created_runs[0].metadata).toEqual(metadata);
    await ask("POST", `/v1/runs/${ids[0]}/cancel`);
    expect((await ask("POST", `/v1/runs/${ids[0]}/retry`)).body).toMatchObject({
      status: "scheduling",
      metadata,
    });
  });

  it("of a chain leaves room for 30 steps, which one transaction holds", async () => {
    const { ask, bodies } = await setUp();
    const { workflow_id } = bodies["/v1/runs"]();
    const chain = (steps: number, metadata = {}) =>
      ask("POST", "/v1/runs/chain", {
        steps: Array.from({ length: steps }, () => ({ workflow_id })),
        metadata,
      });
    expect((await chain(30, { a: "1" })).status).toBe(201);
    const refused = await chain(31, { a: "1" });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "metadata"]]);
    expect((await chain(31)).status).toBe(201);
  });

  it("of a running run is changed by its user without the assignment, beside nothing else", async () => {
    const { ask, stores, organizationId } = await setUp();
    const run = await stores.put.run({ organizationId, status: "running", assignmentId: randomUUID() });
    const change = async (body: object) => (await ask("PATCH", `/v1/runs/${run.id}`, body)).status;
    expect(await change({ metadata: { a: "1" } })).toBe(200);
    expect(await change({ metadata: { a: "2" }, error: ["no"] })).toBe(409);
    const end = { status: "success", assignment_id: run.assignmentId, metadata: { b: "2" }, output_data: 1 };
    const ended = await ask("PATCH", `/v1/runs/${run.id}`, end);
    expect(ended.body).toMatchObject({ status: "success", metadata: { a: "1", b: "2" }, output_data: 1 });
  });

  it("of a workflow goes with its copy", async () => {
    const { ask } = await setUp();
    const { body } = await ask("POST", "/v1/workflows", { main_prompt: "do", metadata: { team: "a" } });
    const copy = await ask("POST", `/v1/workflows/${body.id}/duplicate`);
    expect([copy.status, copy.body.metadata]).toEqual([201, { team: "a" }]);
  });

  it("of a machine is changed together with its reservation and its secrets", async () => {
    const { ask, bodies } = await setUp();
    const { body } = await ask("POST", "/v1/machines", { ...bodies["/v1/machines"](), metadata: { a: "1" } });
    const change = async (fields: object) => (await ask("PATCH", `/v1/machines/${body.id}`, fields)).body;
    const session = randomUUID();
    const reserved = { reserved_session_id: session, metadata: { b: "2" } };
    expect(await change(reserved)).toMatchObject({ ...reserved, metadata: { a: "1", b: "2" } });
    const secret = { machine_sensitive_parameters: { pin: "1" }, metadata: { c: "3" } };
    expect(await change(secret)).toMatchObject({ metadata: { a: "1", b: "2", c: "3" } });
    const cleared = { reserved_session_id: null, metadata: { a: null } };
    expect(await change(cleared)).toMatchObject({ ...cleared, metadata: { b: "2", c: "3" } });
  });

  it("by whose values runs are indexed is what the organization names, five keys at most", async () => {
    const { ask } = await setUp();
    const path = "/v1/settings/run-metadata-keys";
    expect(await ask("GET", path)).toEqual({ status: 200, body: { keys: [] } });
    const keys = ["order", "team"];
    const { status, body } = await ask("PUT", path, { keys });
    const indexed_from = expect.any(String);
    expect([status, body]).toEqual([200, { keys: keys.map((key) => ({ key, indexed_from })) }]);
    expect(await ask("GET", path)).toEqual({ status: 200, body });
    expect((await ask("PUT", path, { keys })).body).toEqual(body);
    const refused = [["a", "a"], ["a b"], ["a", "b", "c", "d", "e", "f"], [null]];
    for (const given of refused) expect((await ask("PUT", path, { keys: given })).status).toBe(422);
    expect((await ask("PUT", path, { keys: [] })).body).toEqual({ keys: [] });
  });
});
