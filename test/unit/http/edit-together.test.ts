import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createPoolsApp } from "../../../functions/pools/app.ts";
import { createSchedulesApp } from "../../../functions/schedules/app.ts";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { aTag } from "../../support/builders/workflows.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const { deps, organizationId, stores } = service;
  const apps = {
    machines: createMachinesApp(deps),
    pools: createPoolsApp(deps),
    workflows: createWorkflowsApp(deps),
    trajectories: createTrajectoriesApp(deps),
    schedules: createSchedulesApp(deps),
  };
  const { id: workflow_id } = await stores.put.workflow({ organizationId });
  const bodies = {
    workflows: { body: { main_prompt: "a" }, change: (text: string) => ({ main_prompt: text }) },
    trajectories: {
      body: { workflow_id, trajectory_data: [{ action: "left_click", coordinate: [1, 2] }] },
      change: (text: string) => ({ description: text, dimensions: { width: 1, height: 1 } }),
    },
    schedules: {
      body: { workflow_id, every_minutes: 5 },
      change: (text: string) => ({ name: text, files: [] }),
    },
    machines: { body: { fingerprint: randomUUID() }, change: (text: string) => ({ name: text }) },
    pools: { body: { name: "front" }, change: (text: string) => ({ description: text }) },
  };
  const appOf = (path: string) =>
    /^\/v1\/workflows\/[^/]+\/duplicate/.test(path)
      ? apps.trajectories
      : (apps[path.split("/")[2] as keyof typeof apps] ?? apps.machines);
  const ask = asking(appOf, service.authorize());
  const make = async (kind: keyof typeof bodies) => {
    const made = await ask("POST", `/v1/${kind}`, bodies[kind].body);
    return { made, path: `/v1/${kind}/${made.json.id}` };
  };
  return { ...service, bodies, ask, make };
}

const kinds = ["workflows", "trajectories", "schedules", "machines", "pools"] as const;

describe.each(kinds)("two people who edit %s", (kind) => {
  it("see in the ETag which edition they have, and overwrite nothing that they have not seen", async () => {
    const { ask, make, bodies } = await setUp();
    const { made, path } = await make(kind);
    const read = await ask("GET", path);
    expect([made, read].map(({ headers }) => headers.get("etag"))).toEqual(['"0"', '"0"']);
    const { change } = bodies[kind];
    const first = await ask("PATCH", path, change("first"), { "if-match": '"0"' });
    expect([first.status, first.headers.get("etag")]).toEqual([200, '"1"']);
    const second = await ask("PATCH", path, change("second"), { "if-match": '"0"' });
    expect([second.status, second.headers.get("etag")]).toEqual([412, '"1"']);
    expect(ErrorBody.parse(second.json)).toMatchObject({
      error_code: "changed_meanwhile",
      details: { etag: '"1"' },
    });
    const now = await ask("GET", path);
    expect([now.json, now.headers.get("etag")]).toEqual([first.json, '"1"']);
    const seen = await ask("PATCH", path, change("second"), { "if-match": '"1"' });
    expect([seen.status, seen.headers.get("etag")]).toEqual([200, '"2"']);
    expect((await ask("PATCH", path, change("third"))).headers.get("etag")).toBe('"3"');
  });

  it("delete only the edition that they have seen", async () => {
    const { ask, make, bodies } = await setUp();
    const { path } = await make(kind);
    await ask("PATCH", path, bodies[kind].change("edited"));
    const refused = await ask("DELETE", path, undefined, { "if-match": '"0"', "idempotency-key": "k" });
    expect([refused.status, refused.headers.get("etag")]).toEqual([412, '"1"']);
    expect((await ask("GET", path)).status).toBe(200);
    const done = { "if-match": '"1"', "idempotency-key": "k" };
    expect((await ask("DELETE", path, undefined, done)).status).toBe(204);
    const again = await ask("DELETE", path, undefined, done);
    expect([again.status, again.headers.get("idempotency-status")]).toEqual([204, "replayed"]);
  });

  it("get the original response to a repeat, which finds its own edition", async () => {
    const { ask, make, bodies } = await setUp();
    const { path } = await make(kind);
    const headers = { "if-match": '"0"', "idempotency-key": "k" };
    const change = bodies[kind].change("edited");
    const first = await ask("PATCH", path, change, headers);
    await ask("PATCH", path, bodies[kind].change("by another"));
    const repeat = await ask("PATCH", path, change, headers);
    expect([repeat.status, repeat.text, repeat.headers.get("etag")]).toEqual([200, first.text, '"1"']);
    expect(repeat.headers.get("idempotency-status")).toBe("replayed");
  });

  it("may write one of several editions, or any, and none under a weak tag or another service's", async () => {
    const { ask, make, bodies } = await setUp();
    const { path } = await make(kind);
    const statusWith = async (ifMatch: string) =>
      (await ask("PATCH", path, bodies[kind].change(ifMatch.length.toString()), { "if-match": ifMatch }))
        .status;
    for (const [tags, status] of [
      ["*", 200],
      ['"7", "1"', 200],
      ['W/"1" ,, "2"', 200],
      ['W/"3"', 412],
      ['""', 412],
      ['"3.0", "03", "a,b", "99999999999999999999"', 412],
    ] as const) {
      expect([tags, await statusWith(tags)]).toEqual([tags, status]);
    }
  });

  it("are told which header cannot be read, beside all else", async () => {
    const { ask, make } = await setUp();
    const { path } = await make(kind);
    const many = Array.from({ length: 21 }, (_, tag) => `"${tag}"`).join(", ");
    for (const tags of ["", "0", '"0', '*, "0"', '"0" "1"', 'w/"0"', "W/0", '"é"', many]) {
      const { status, json } = await ask("PATCH", path, { nonsense: 1 }, { "if-match": tags });
      expect([tags, status]).toEqual([tags, 422]);
      expect(ValidationErrorBody.parse(json).detail).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ loc: ["header", "If-Match"], type: "string_pattern_mismatch" }),
          expect.objectContaining({ loc: ["body", "nonsense"] }),
        ]),
      );
    }
  });

  it("find nothing where nothing is, whatever they take it to be", async () => {
    const { ask, bodies } = await setUp();
    const path = `/v1/${kind}/${randomUUID()}`;
    for (const tags of ["*", '"0"', 'W/"0"']) {
      for (const key of ["k", undefined]) {
        const headers = { "if-match": tags, ...(key !== undefined && { "idempotency-key": key + tags }) };
        expect((await ask("PATCH", path, bodies[kind].change("a"), headers)).status).toBe(404);
        expect((await ask("DELETE", path, undefined, headers)).status).toBe(404);
      }
    }
  });
});

describe("an edition", () => {
  it("says nothing of what is not edited, so a GET is answered whole", async () => {
    const { ask, make } = await setUp();
    const { path } = await make("machines");
    const { status, json } = await ask("GET", path, undefined, { "if-none-match": '"0"' });
    expect([status, json.status]).toEqual([200, "disconnected"]);
  });

  it("of a machine is required before a secret is written", async () => {
    const { ask, make, stores } = await setUp();
    const { path } = await make("machines");
    const secret = (pin: string) => ({ machine_sensitive_parameters: { pin } });
    const kept = await ask("PATCH", path, secret("1111"), { "if-match": '"0"' });
    expect([kept.status, kept.headers.get("etag")]).toEqual([200, '"1"']);
    for (const key of [undefined, "k"]) {
      const headers = { "if-match": '"0"', ...(key !== undefined && { "idempotency-key": key }) };
      expect((await ask("PATCH", path, secret("2222"), headers)).status).toBe(412);
    }
    expect(stores.secrets.names().map((name) => stores.secrets.values(name))).toEqual([{ pin: "1111" }]);
    const headers = { "if-match": '"1"', "idempotency-key": "k" };
    const first = await ask("PATCH", path, secret("2222"), headers);
    const repeat = await ask("PATCH", path, secret("2222"), headers);
    expect([first, repeat].map((each) => [each.status, each.headers.get("etag")])).toEqual([
      [200, '"2"'],
      [200, '"2"'],
    ]);
  });

  it("is required of a change of metadata, which is an edit", async () => {
    const { ask, make } = await setUp();
    for (const kind of ["machines", "workflows"] as const) {
      const { path } = await make(kind);
      const put = (key: string, ifMatch: string) =>
        ask("PATCH", path, { metadata: { [key]: "x" } }, { "if-match": ifMatch });
      const [first, second] = [await put("a", '"0"'), await put("b", '"0"')];
      expect([first, second].map((each) => [each.status, each.headers.get("etag")])).toEqual([
        [200, '"1"'],
        [412, '"1"'],
      ]);
      expect((await ask("GET", path)).json.metadata).toEqual({ a: "x" });
    }
  });

  it("of a trajectory is required before an object is written", async () => {
    const { ask, make, stores } = await setUp();
    const { path } = await make("trajectories");
    const element = { action: "type", text: "a".repeat(9_000) };
    const refused = await ask("PATCH", path, { trajectory_data: [element] }, { "if-match": '"3"' });
    expect([refused.status, refused.json.details]).toEqual([412, { etag: '"0"' }]);
    expect(stores.files.keys()).toEqual([]);
  });

  it("follows a workflow's tags and a machine's pools, which are edited on their editions, too", async () => {
    const { ask, make, stores, organizationId } = await setUp();
    const tag = aTag({ organizationId });
    await stores.tags.createTag(tag);
    const { path } = await make("workflows");
    const assign = (ifMatch: string) =>
      ask("POST", `${path}/tags`, { tag_ids: [tag.id] }, { "if-match": ifMatch });
    expect((await assign('"4"')).status).toBe(412);
    expect((await assign('"0"')).status).toBe(200);
    expect((await assign('"0"')).status).toBe(412);
    const copy = await ask("POST", `${path}/duplicate`, {});
    const copied = await ask("GET", `/v1/workflows/${copy.json.id}`);
    expect(copy.headers.get("etag")).toBe(copied.headers.get("etag"));
    const remove = (ifMatch: string) =>
      ask("DELETE", `${path}/tags/${tag.id}`, undefined, { "if-match": ifMatch });
    expect((await remove('"0"')).status).toBe(412);
    expect((await remove('"1"')).status).toBe(204);
    expect((await ask("GET", path)).headers.get("etag")).toBe('"2"');
    const machine = await make("machines");
    const pool = await make("pools");
    const join = (ifMatch: string) =>
      ask("POST", `${pool.path}/machines`, { machine_ids: [machine.made.json.id] }, { "if-match": ifMatch });
    expect((await join('"1"')).status).toBe(412);
    expect((await join('"0"')).status).toBe(200);
    const leave = (ifMatch: string) =>
      ask("PUT", `${machine.path}/pools`, { pool_ids: [] }, { "if-match": ifMatch });
    expect((await leave('"0"')).status).toBe(412);
    expect((await leave('"1"')).status).toBe(200);
    const remaining = { machine_ids: [machine.made.json.id] };
    const expel = await ask("DELETE", `${pool.path}/machines`, remaining, { "if-match": '"1"' });
    expect([expel.status, expel.headers.get("etag")]).toEqual([412, '"2"']);
  });

  it("is not told to a caller with too many requests", async () => {
    const { deps, stores, organizationId, authorize } = await createTestService();
    const app = createWorkflowsApp({ ...deps, rateLimits: { ...deps.rateLimits, perApiKey: 1 } });
    const { id } = await stores.put.workflow({ organizationId });
    const ask = asking(app, authorize());
    const responses = [await ask("GET", `/v1/workflows/${id}`), await ask("GET", `/v1/workflows/${id}`)];
    expect(responses.map(({ status, headers }) => [status, headers.get("etag")])).toEqual([
      [200, '"0"'],
      [429, null],
    ]);
  });
});

describe("the contract of tags", () => {
  const operations: readonly Operation[] = allOperations;

  it("has a tag to send for each write that takes one", () => {
    const kindOf = ({ path }: Operation) => path.split("/")[2];
    const shown = operations.filter(({ isTagged }) => isTagged).map(kindOf);
    const taken = operations.filter(({ takesIfMatch }) => takesIfMatch);
    expect(taken.filter((operation) => !shown.includes(kindOf(operation)))).toEqual([]);
    expect(taken.filter(({ method, writes }) => method === "GET" || writes === undefined)).toEqual([]);
    expect(new Set(taken.map(kindOf))).toEqual(new Set(kinds));
  });
});
