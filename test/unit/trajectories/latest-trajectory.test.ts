import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { Trajectory } from "../../../shared/contract/trajectory/trajectory.ts";
import { heavy, trajectoriesWorld } from "./trajectories-world.ts";

async function setUp() {
  const world = await trajectoriesWorld();
  const app = createTrajectoriesApp(world.deps);
  const authorization = world.authorize();
  const latest = async (workflowId: string) => {
    const path = `/v1/workflows/${workflowId}/latest-trajectory`;
    const response = await app.request(path, { headers: { authorization } });
    return { status: response.status, json: await response.json() };
  };
  return { ...world, latest };
}

describe("GET /v1/workflows/{workflow_id}/latest-trajectory", () => {
  it("answers the newest one with its data, approved or not, and the one before once that is deleted", async () => {
    const { make, latest, workflow, putWorkflow, ask } = await setUp();
    const first = await make({ is_approved: true });
    const second = await make({ trajectory_data: heavy });
    await make({ workflow_id: (await putWorkflow()).id });
    const { status, json } = await latest(workflow.id);
    expect([status, Trajectory.parse(json)]).toEqual([200, second]);
    await ask("DELETE", `/${second.id}`);
    expect((await latest(workflow.id)).json).toEqual(first);
  });

  it("answers 404 for a workflow that has none, is not there, or is deleted", async () => {
    const { latest, make, workflow, stores } = await setUp();
    expect(await latest(workflow.id)).toMatchObject({
      status: 404,
      json: { message: `the workflow ${workflow.id} has no trajectory` },
    });
    const unknown = randomUUID();
    expect(await latest(unknown)).toMatchObject({
      status: 404,
      json: { message: `there is no workflow ${unknown}` },
    });
    await make();
    expect((await latest(workflow.id)).status).toBe(200);
    await stores.workflows.markDeleted(workflow.organizationId, workflow.id, "2026-01-15T12:00:00.000Z");
    expect((await latest(workflow.id)).status).toBe(404);
    expect((await latest("7")).status).toBe(422);
  });
});
