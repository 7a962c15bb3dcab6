import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  Trajectory,
  TrajectoryList,
  TrajectoryResponse,
  WrittenTrajectory,
} from "../../../shared/contract/trajectory/trajectory.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import {
  type ApiRequest,
  ask,
  control,
  createOrganization,
  keyOf,
  sweep,
} from "../../support/stack/stack-client.ts";

let key: string;
let workflowId: string;

/** Elements that are too large for an item. */
const heavy = Array.from({ length: 400 }, (_, step) => ({ action: "type", text: "words", step }));

beforeAll(async () => {
  // A sweep gives a new table its id, which is otherwise looked up with each object.
  await sweep();
  key = keyOf(await createOrganization(), "full");
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: "Open the shop.", executor: "worker" },
  });
  workflowId = String(workflow.body.id);
});

async function make(fields: object = {}, headers: Record<string, string> = {}): Promise<Trajectory> {
  const body = { workflow_id: workflowId, trajectory_data: [{ action: "click" }], ...fields };
  const answer = await ask("/v1/trajectories", { key, body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Trajectory.parse(answer.body);
}

const read = (id: string) => ask(`/v1/trajectories/${id}`, { key });

async function change(id: string, body: object): Promise<Trajectory> {
  const answer = await ask(`/v1/trajectories/${id}`, { method: "PATCH", key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { warnings: _, ...trajectory } = WrittenTrajectory.parse(answer.body);
  return trajectory;
}

/** Expects a number of objects to be removed by the projector after the work. */
async function expectRemoved(count: number, work: () => Promise<unknown>): Promise<void> {
  await control("/aws/calls", undefined, "DELETE");
  await work();
  const removed = async () => {
    const { counts } = await control<{ counts: Record<string, Record<string, Record<string, number>>> }>(
      "/aws/calls",
    );
    return counts.projector?.s3?.DeleteObject ?? 0;
  };
  await expect.poll(removed, { timeout: 20_000 }).toBe(count);
}

// This comes first, while the function has one instance: another one would read the key again.
describe("a warm instance calls AWS for", () => {
  const costs = async (path: string, request: () => ApiRequest = () => ({})) => {
    const send = async () => {
      const answer = await ask(path, { key, ...request() });
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
    };
    await send();
    return (await callsDuring(send)).counts.trajectories;
  };

  it("one trajectory once, and once more for data in the bucket", async () => {
    const light = await make();
    expect(await costs(`/v1/trajectories/${light.id}`)).toEqual({ "dynamodb GetItem": 1 });
    const { id } = await make({ trajectory_data: heavy });
    expect(await costs(`/v1/trajectories/${id}`)).toEqual({ "dynamodb GetItem": 1, "s3 GetObject": 1 });
  });

  it("a page three times, and once more for its workflows", async () => {
    await make({ trajectory_data: heavy });
    const page = { "dynamodb Query": 2, "dynamodb BatchGetItem": 1 };
    expect(await costs("/v1/trajectories?limit=5")).toEqual(page);
    const list = await ask("/v1/trajectories?limit=5", { key });
    expect(TrajectoryList.parse(list.body).items.length).toBeGreaterThan(1);
    expect(await costs("/v1/trajectories?limit=5&include=workflow")).toEqual({
      ...page,
      "dynamodb BatchGetItem": 2,
    });
  });

  it("a creation once, and with an object under an Idempotency-Key three times", async () => {
    const creation = (data: unknown, headers = {}) => ({
      method: "POST",
      body: { workflow_id: workflowId, trajectory_data: data },
      headers,
    });
    expect(await costs("/v1/trajectories", () => creation([1]))).toEqual({
      "dynamodb TransactWriteItems": 1,
    });
    const once = () => creation(heavy, { "idempotency-key": randomUUID() });
    expect(await costs("/v1/trajectories", once)).toEqual({
      "dynamodb PutItem": 1,
      "s3 PutObject": 1,
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("a change once, also of data", async () => {
    const path = `/v1/trajectories/${(await make()).id}`;
    const patch = (body: object) => () => ({ method: "PATCH", body });
    expect(await costs(path, patch({ name: "n" }))).toEqual({ "dynamodb UpdateItem": 1 });
    expect(await costs(path, patch({ trajectory_data: heavy }))).toEqual({
      // The row is read first, because a change of data affects the approval and the verification.
      "s3 PutObject": 1,
      "dynamodb GetItem": 1,
      "dynamodb UpdateItem": 1,
    });
  });
});

describe("trajectories", () => {
  it("give back data of 4 MB as it was recorded, also a copy's", async () => {
    const data = Array.from({ length: 40_000 }, (_, step) => ({
      action: "left_click",
      coordinate: [step, step],
      text: "é".repeat(22),
    }));
    const made = await make({ trajectory_data: data });
    expect(TrajectoryResponse.parse((await read(made.id)).body)).toEqual(made);
    const copied = await ask(`/v1/trajectories/${made.id}/duplicate`, { method: "POST", key });
    const copy = Trajectory.parse(copied.body);
    expect(copy).toEqual({
      ...made,
      id: copy.id,
      name: "(Copy)",
      created_at: copy.created_at,
      updated_at: copy.updated_at,
    });
  });

  it("lose the object that other data replaces, and theirs when they are deleted", async () => {
    const { id } = await make({ trajectory_data: heavy });
    const longer = [...heavy, "more"];
    await expectRemoved(1, () => change(id, { trajectory_data: longer }));
    expect((await read(id)).body.trajectory_data).toEqual(longer);
    await expectRemoved(1, async () => {
      expect((await ask(`/v1/trajectories/${id}`, { method: "DELETE", key })).status).toBe(204);
    });
    expect((await read(id)).status).toBe(404);
  });

  it("keep their object when something else is changed", async () => {
    const { id } = await make({ trajectory_data: heavy });
    const other = await make({ trajectory_data: heavy });
    await expectRemoved(1, async () => {
      await change(id, { name: "renamed", is_approved: true });
      await change(other.id, { trajectory_data: [1] });
    });
    expect((await read(id)).body).toMatchObject({ name: "renamed", trajectory_data: heavy });
  });

  it("keep every change of those made at once", async () => {
    const { id } = await make();
    await Promise.all([
      change(id, { name: "n" }),
      change(id, { description: "d" }),
      change(id, { is_approved: true }),
      change(id, { trajectory_data: heavy }),
    ]);
    expect((await read(id)).body).toMatchObject({
      name: "n",
      description: "d",
      is_approved: true,
      trajectory_data: heavy,
    });
  });
});
