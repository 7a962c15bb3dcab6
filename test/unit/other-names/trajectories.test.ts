import { v7 } from "uuid";
import { expect, it } from "vitest";
import { TrajectoryList } from "../../../shared/contract/trajectory/trajectory.ts";
import { light, trajectoriesWorld } from "../trajectories/trajectories-world.ts";

it("keeps the run that a trajectory is said to be made from, and lists it by that", async () => {
  const { ask, make, stores, organizationId, workflow } = await trajectoriesWorld();
  const run = await stores.put.run({ organizationId, workflowId: workflow.id });
  await make();
  const made = await make({ run_id: run.id });
  expect(made).toMatchObject({ run_id: run.id, is_generated: true });
  const { items } = TrajectoryList.parse((await ask("GET", `?run_id=${run.id}`)).json);
  expect(items).toMatchObject([{ id: made.id, run_id: run.id, is_generated: true, trajectory_data: light }]);
});

it("refuses a run that is not there, and one of another workflow", async () => {
  const { ask, stores, organizationId, workflow, putWorkflow } = await trajectoriesWorld();
  const send = (run_id: string) =>
    ask("POST", "", { workflow_id: workflow.id, trajectory_data: light, run_id });
  expect((await send(v7())).status).toBe(404);
  const other = await stores.put.run({ organizationId, workflowId: (await putWorkflow()).id });
  const refused = await send(other.id);
  expect(refused.status).toBe(422);
  expect(refused.json.detail).toMatchObject([{ loc: ["body", "run_id"], type: "value_error" }]);
});

it("lists data while 4 MB of it fit, and names what it leaves out", async () => {
  const { ask, stores, organizationId, workflow } = await trajectoriesWorld();
  const data = [{ text: "x".repeat(8_000) }];
  const { id: workflowId } = workflow;
  for (let at = 0; at < 540; at += 1) {
    await stores.put.trajectory({ organizationId, workflowId, data: { kind: "inline", value: data } });
  }
  const { items } = TrajectoryList.parse((await ask("GET", "?limit=1000")).json);
  const leftOut = items.filter(({ trajectory_data }) => trajectory_data === null);
  expect(leftOut).toHaveLength(items.length - Math.floor(4_194_304 / JSON.stringify(data).length));
  expect(leftOut.every(({ omitted_fields }) => omitted_fields?.includes("trajectory_data"))).toBe(true);
});
