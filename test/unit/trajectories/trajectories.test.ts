import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import {
  Trajectory,
  TrajectoryList,
  TrajectoryResponse,
  WrittenTrajectory,
} from "../../../shared/contract/trajectory/trajectory.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { heavy, light, trajectoriesWorld } from "./trajectories-world.ts";

function problemsOf(answer: { readonly status: number; readonly json: unknown }) {
  expect(answer.status).toBe(422);
  return ValidationErrorBody.parse(answer.json).detail.map(({ loc, type }) => [loc, type]);
}

/** JSON of exactly so many bytes: an array of one text. */
const dataOf = (bytes: number) => ["x".repeat(bytes - 4)];

describe("POST /v1/trajectories", () => {
  it("makes a trajectory that is not approved, with nothing said about it", async () => {
    const { ask, workflow, organizationId } = await trajectoriesWorld();
    const made = await ask("POST", "", { workflow_id: workflow.id, trajectory_data: light });
    expect(made.status).toBe(201);
    const trajectory = Trajectory.parse(made.json);
    expect(trajectory).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workflow_id: workflow.id,
      organization_id: organizationId,
      user_id: expect.any(String),
      name: "",
      description: "",
      dimensions: null,
      is_approved: false,
      has_been_approved: false,
      is_main: false,
      verified_at: null,
      is_generated: true,
      run_id: null,
      expect: [],
      checks: [],
      reset: [],
      original_input_values: null,
      trajectory_data: light,
      created_at: expect.any(String),
      updated_at: trajectory.created_at,
    });
    expect((await ask("GET", `/${trajectory.id}`)).json).toEqual(trajectory);
  });

  it("keeps all that is given, heavy data in the bucket under the organization's name", async () => {
    const { ask, make, stores, organizationId } = await trajectoriesWorld();
    const fields = {
      trajectory_data: heavy,
      dimensions: { width: 1280, height: 800 },
      name: "Opens the shop",
      description: "Monday",
      is_approved: true,
      original_input_values: { who: "me", nested: [1, null, { a: "b" }] },
    };
    const made = await make(fields);
    expect(made).toMatchObject(fields);
    expect((await ask("GET", `/${made.id}`)).json).toEqual(made);
    const [key = "", ...others] = stores.files.keys();
    expect(key).toMatch(`spill/${organizationId}/trajectory/${made.id}/trajectory_data-`);
    expect(others).toEqual([]);
  });

  it.each([
    [{ name: "n".repeat(255), description: "d".repeat(1_000) }, undefined],
    [{ name: "😀".repeat(255) }, undefined],
    [{ name: "", description: "", dimensions: null, original_input_values: null }, undefined],

    [{ name: null }, undefined],
    [{ dimensions: { width: 1, height: 32_767 } }, undefined],

    [{ trajectory_data: [null] }, undefined],
    [{ trajectory_data: dataOf(4_194_304) }, undefined],
    [{ trajectory_data: dataOf(4_194_305) }, [["body", "trajectory_data"], "value_error"]],
    [{ original_input_values: { a: "x".repeat(65_528) } }, undefined],
    [
      { original_input_values: { a: "x".repeat(65_529) } },
      [["body", "original_input_values"], "value_error"],
    ],
  ])("takes body %#, or says what is wrong with it", async (fields, expected) => {
    const { ask, workflow } = await trajectoriesWorld();
    const body = { workflow_id: workflow.id, trajectory_data: light, ...fields };
    const answer = await ask("POST", "", body);
    if (expected === undefined) expect(answer.status).toBe(201);
    else expect(problemsOf(answer)).toEqual([expected]);
  });

  it("answers 413 to a body that no request can carry", async () => {
    const { ask, workflow } = await trajectoriesWorld();
    const body = { workflow_id: workflow.id, trajectory_data: dataOf(5_900_001) };
    const answer = await ask("POST", "", body);
    expect([answer.status, answer.json.error_code]).toEqual([413, "payload_too_large"]);
  });

  it("answers 404 to a workflow that is missing, another organization's or deleted, and leaves no object behind", async () => {
    const { ask, putWorkflow, stores } = await trajectoriesWorld();
    const elsewhere = (await putWorkflow({ organizationId: anOrganization() })).id;
    const deleted = (await putWorkflow({ deletedAt: "2026-01-01T00:00:00.000Z" })).id;
    for (const workflowId of [randomUUID(), elsewhere, deleted]) {
      for (const headers of [{}, { "idempotency-key": workflowId }]) {
        const answer = await ask("POST", "", { workflow_id: workflowId, trajectory_data: heavy }, headers);
        expect(answer.status).toBe(404);
        expect(ErrorBody.parse(answer.json)).toMatchObject({
          error_code: "not_found",
          message: `there is no workflow ${workflowId}`,
        });
      }
    }
    expect(stores.files.keys()).toEqual([]);
    expect((await ask("GET", "")).json.total).toBe(0);
  });

  it("makes the same object again when a worker died before the trajectory named it", async () => {
    const { ask, workflow, stores } = await trajectoriesWorld();
    const { create } = stores.trajectories;
    stores.trajectories.create = () => Promise.reject(new Error("killed"));
    const { release } = stores.idempotencyRecords;
    stores.idempotencyRecords.release = () => Promise.reject(new Error("killed"));
    const body = { workflow_id: workflow.id, trajectory_data: heavy };
    const post = () => ask("POST", "", body, { "idempotency-key": "make" });
    expect((await post()).status).toBe(500);
    const [left] = stores.files.keys();
    Object.assign(stores.trajectories, { create });
    Object.assign(stores.idempotencyRecords, { release });
    expect((await post()).status).toBe(409);
    stores.clock.advance(35_001);
    expect((await post()).status).toBe(201);
    expect(stores.files.keys()).toEqual([left]);
  });
});

describe("GET /v1/trajectories", () => {
  it("lists newest first, with the data that a row holds and without what is heavy, with the total", async () => {
    const { ask, make } = await trajectoriesWorld();
    const [one, two, three] = [await make(), await make({ trajectory_data: heavy }), await make()];
    const list = TrajectoryList.parse((await ask("GET", "?limit=2")).json);
    const { expect: _expect, checks: _checks, reset: _reset, ...bare } = three;
    expect(list).toMatchObject({ total: 3, skip: 0, limit: 2 });
    const omitted = ["expect", "checks", "reset"];
    expect(list.items[0]).toEqual({ ...bare, omitted_fields: omitted });
    expect(list.items[1]).toMatchObject({
      trajectory_data: null,
      is_generated: true,
      omitted_fields: ["trajectory_data", ...omitted],
    });
    expect(list.items.map(({ id }) => id)).toEqual([three.id, two.id]);
    const last = TrajectoryList.parse((await ask("GET", "?skip=2")).json);
    expect(last.items.map(({ id }) => id)).toEqual([one.id]);
  });

  it("answers only the fields named, the data of each among them", async () => {
    const { ask, make } = await trajectoriesWorld();
    const one = await make({ trajectory_data: heavy });
    const two = await make({ name: "two" });
    const all = async (query: string) => TrajectoryList.parse((await ask("GET", `?${query}`)).json).items;
    const always = ({ id, workflow_id, is_approved, created_at }: Trajectory) => ({
      id,
      workflow_id,
      is_approved,
      created_at,
    });
    expect(await all("fields=trajectory_data")).toEqual([
      { ...always(two), trajectory_data: light },
      { ...always(one), trajectory_data: heavy },
    ]);
    expect(await all("fields=name&fields=id&limit=1")).toEqual([{ ...always(two), name: "two" }]);
    const wrong = await ask("GET", "?fields=secret");
    expect(problemsOf(wrong)).toEqual([[["query", "fields", 0], "enum"]]);
  });

  it("answers 413 that says to lower the limit, when the data of a page is too large", async () => {
    const { ask, make } = await trajectoriesWorld();
    for (const _ of [1, 2]) await make({ trajectory_data: dataOf(3_000_000) });
    const answer = await ask("GET", "?fields=trajectory_data");
    expect([answer.status, answer.json.error_code]).toEqual([413, "answer_too_large"]);
    expect(answer.json.message).toContain("limit");
    expect((await ask("GET", "?fields=trajectory_data&limit=1")).status).toBe(200);
    expect((await ask("GET", "")).json.items).toHaveLength(2);
  });

  it("narrows by workflow, approval, moment and text", async () => {
    const { ask, make, putWorkflow } = await trajectoriesWorld();
    const other = await putWorkflow();
    const plain = await make({ name: "Tills" });
    const approved = await make({ is_approved: true, workflow_id: other.id, description: "doors and TILLS" });
    const ids = async (query: string) =>
      TrajectoryList.parse((await ask("GET", `?${query}`)).json).items.map(({ id }) => id);
    expect(await ids(`workflow_id=${other.id}`)).toEqual([approved.id]);
    expect(await ids(`workflow_id=${randomUUID()}`)).toEqual([]);
    expect(await ids("is_approved=true")).toEqual([approved.id]);
    expect(await ids("is_approved=false")).toEqual([plain.id]);
    expect(await ids("is_generated=true")).toEqual([approved.id, plain.id]);
    expect(await ids("is_generated=false")).toEqual([]);
    expect(await ids(`updated_at_from=${approved.updated_at}`)).toEqual([approved.id]);
    expect(await ids(`updated_at_to=${plain.updated_at}`)).toEqual([plain.id]);
    expect(await ids("search=tills")).toEqual([approved.id, plain.id]);
    expect(await ids(`search=tills&workflow_id=${other.id}&is_approved=true`)).toEqual([approved.id]);
    expect(await ids(`created_at_from=${approved.created_at}`)).toEqual([approved.id]);
    expect(await ids(`created_at_to=${plain.created_at}&search=${plain.id.toUpperCase()}`)).toEqual([
      plain.id,
    ]);
  });

  it("includes each workflow once, without those that have been deleted", async () => {
    const { ask, make, workflow, putWorkflow, stores, organizationId } = await trajectoriesWorld();
    const other = await putWorkflow({ name: "other" });
    await make();
    await make();
    await make({ workflow_id: other.id });
    const read = async () => TrajectoryList.parse((await ask("GET", "?include=workflow")).json);
    const { included = [] } = await read();
    expect(included.map(({ type, id, name }) => [type, id, name])).toEqual([
      ["workflow", other.id, "other"],
      ["workflow", workflow.id, ""],
    ]);
    await stores.workflows.markDeleted(organizationId, workflow.id, "2026-01-01T00:00:00.000Z");
    const after = await read();
    expect(after.items).toHaveLength(3);
    expect(after.included?.map(({ id }) => id)).toEqual([other.id]);
    expect((await ask("GET", "?include=workflow&skip=3")).json.included).toEqual([]);
    expect((await ask("GET", "")).json).not.toHaveProperty("included");
  });
});

describe("GET /v1/trajectories/{trajectory_id}", () => {
  it("includes the workflow when it is asked for", async () => {
    const { ask, make, workflow } = await trajectoriesWorld();
    const made = await make();
    const { included, ...rest } = TrajectoryResponse.parse(
      (await ask("GET", `/${made.id}?include=workflow`)).json,
    );
    expect(rest).toEqual(made);
    expect(included).toMatchObject([{ type: "workflow", id: workflow.id, main_prompt: workflow.mainPrompt }]);
    expect(problemsOf(await ask("GET", `/${made.id}?include=workflow,run`))).toEqual([
      [["query", "include", 1], "literal_error"],
    ]);
    expect(problemsOf(await ask("GET", "/7"))).toEqual([[["path", "trajectory_id"], "uuid_parsing"]]);
  });

  it("answers the data that has just replaced the one that it was about to read", async () => {
    const { ask, make, stores } = await trajectoriesWorld();
    const { id } = await make({ trajectory_data: heavy });
    const { find } = stores.trajectories;
    let isFirst = true;
    stores.trajectories.find = async (...of) => {
      const found = await find.apply(stores.trajectories, of);
      if (!isFirst) return found;
      isFirst = false;
      await ask("PATCH", `/${id}`, { trajectory_data: [...heavy, "new"] });
      for (const key of stores.files.keys().slice(0, 1)) await stores.files.remove(key);
      return found;
    };
    const answer = await ask("GET", `/${id}`);
    expect(answer.json.trajectory_data).toEqual([...heavy, "new"]);
  });

  it("answers 404 when it is deleted while its data is about to be read", async () => {
    const { ask, make, stores, organizationId } = await trajectoriesWorld();
    const { id } = await make({ trajectory_data: heavy });
    const { get } = stores.files;
    stores.files.get = async (...of) => {
      await stores.trajectories.markDeleted(organizationId, id, "2026-01-01T00:00:00.000Z");
      for (const key of stores.files.keys()) await stores.files.remove(key);
      return await get.apply(stores.files, of);
    };
    expect((await ask("GET", `/${id}`)).status).toBe(404);
  });
});

describe("PATCH /v1/trajectories/{trajectory_id}", () => {
  it("changes the fields given, leaves the others, and dates the change", async () => {
    const { ask, make, stores } = await trajectoriesWorld();
    const made = await make({ trajectory_data: heavy, name: "old", description: "kept" });
    stores.clock.advance(1_000);
    const changes = { name: "new", is_approved: true, dimensions: { width: 2, height: 3 } };
    const answer = await ask("PATCH", `/${made.id}`, changes);
    expect(answer.status).toBe(200);
    const updated_at = new Date(stores.clock.now()).toISOString();
    const { warnings, ...changed } = WrittenTrajectory.parse(answer.json);
    expect(changed).toEqual({ ...made, ...changes, has_been_approved: true, updated_at });
    expect(warnings).toHaveLength(10);
    const cleared = { dimensions: null, original_input_values: null };
    expect((await ask("PATCH", `/${made.id}`, cleared)).json).toMatchObject({ ...cleared, name: "new" });
    expect((await ask("PATCH", `/${made.id}`, {})).json).toMatchObject({ name: "new", is_approved: true });
    expect((await ask("GET", "?is_approved=true")).json.total).toBe(1);
  });

  it("replaces the data as a whole, from heavy to light and back", async () => {
    const { ask, make } = await trajectoriesWorld();
    const { id } = await make({ trajectory_data: heavy });
    for (const data of [light, heavy, [...heavy, "more"]]) {
      expect((await ask("PATCH", `/${id}`, { trajectory_data: data })).json.trajectory_data).toEqual(data);
      expect((await ask("GET", `/${id}`)).json.trajectory_data).toEqual(data);
    }
  });

  it.each([
    [{ trajectory_data: dataOf(4_194_304) }, undefined],
    [{ trajectory_data: dataOf(4_194_305) }, [["body", "trajectory_data"], "value_error"]],
    [{ trajectory_data: null }, undefined],
  ])("takes body %#, or says what is wrong with it", async (body, expected) => {
    const { ask, make } = await trajectoriesWorld();
    const answer = await ask("PATCH", `/${(await make()).id}`, body);
    if (expected === undefined) expect(answer.status).toBe(200);
    else expect(problemsOf(answer)).toEqual([expected]);
  });

  it("leaves no object behind of a trajectory that is not there", async () => {
    const { ask, stores } = await trajectoriesWorld();
    const answer = await ask("PATCH", `/${randomUUID()}`, { trajectory_data: heavy });
    expect([answer.status, stores.files.keys()]).toEqual([404, []]);
  });
});

describe("POST /v1/trajectories/{trajectory_id}/duplicate", () => {
  it.each([
    ["light", light],
    ["heavy", heavy],
  ])("makes a copy that is not approved, with %s data of its own", async (_name, data) => {
    const { ask, make, stores } = await trajectoriesWorld();
    const described = { name: "n", description: "d", dimensions: { width: 1, height: 2 } };
    const rest = { original_input_values: { a: 1 }, is_approved: true, trajectory_data: data };
    const original = await make({ ...described, ...rest });
    stores.clock.advance(1_000);
    const answer = await ask("POST", `/${original.id}/duplicate`);
    expect(answer.status).toBe(201);
    const copy = Trajectory.parse(answer.json);
    const at = new Date(stores.clock.now()).toISOString();
    expect(copy).toEqual({
      ...original,
      id: copy.id,
      user_id: copy.user_id,
      created_at: at,
      updated_at: at,
      name: "n (Copy)",
      is_approved: false,
      has_been_approved: false,
    });
    expect(copy.id).not.toBe(original.id);
    await ask("PATCH", `/${original.id}`, { trajectory_data: ["gone"] });
    for (const key of stores.files.keys()) if (key.includes(original.id)) await stores.files.remove(key);
    expect((await ask("GET", `/${copy.id}`)).json).toEqual(copy);
    expect((await ask("GET", "")).json.total).toBe(2);
  });

  it("answers 404 when the workflow has been deleted", async () => {
    const { ask, make, stores, workflow, organizationId } = await trajectoriesWorld();
    const { id } = await make({ trajectory_data: heavy });
    await stores.workflows.markDeleted(organizationId, workflow.id, "2026-01-01T00:00:00.000Z");
    const answer = await ask("POST", `/${id}/duplicate`);
    expect([answer.status, answer.json.message]).toEqual([404, `there is no workflow ${workflow.id}`]);
    expect(stores.files.keys()).toHaveLength(1);
    expect((await ask("GET", `/${id}`)).status).toBe(200);
  });
});
