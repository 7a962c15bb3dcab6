import { type DemoApi, demoClient } from "./demo-client.ts";
import { readDemo } from "./demo-definition.ts";

/** @returns the id of the demo's workflow, which is created unless it exists. */
export async function seedDemo(api: DemoApi): Promise<string> {
  const client = demoClient(api);
  const { workflow, trajectory } = readDemo();
  const { items } = await client.call("listWorkflows", { query: { search: workflow.name } });
  const known = items.find(({ name }) => name === workflow.name);
  if (known !== undefined) return known.id;
  const { id } = await client.call("createWorkflow", { body: workflow });
  const recorded = { ...trajectory, workflow_id: id, is_approved: true };
  const made = (await client.request("POST", "/v1/trajectories", { body: recorded })) as { id: string };
  await client.call("updateTrajectory", { path: { trajectory_id: made.id }, body: { is_main: true } });
  return id;
}
