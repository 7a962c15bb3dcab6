import { askApi, type DemoApi } from "./demo-api.ts";
import { readDemo } from "./demo-definition.ts";

interface Found {
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** @returns the id of the demo's workflow, which is created unless it exists. */
export async function seedDemo(api: DemoApi): Promise<string> {
  const { workflow, trajectory } = readDemo();
  const search = encodeURIComponent(workflow.name);
  const { items } = await askApi<Found>(api, "GET", `/v1/workflows?search=${search}`);
  const known = items.find(({ name }) => name === workflow.name);
  if (known !== undefined) return known.id;
  const { id } = await askApi<{ id: string }>(api, "POST", "/v1/workflows", workflow);
  const recorded = { ...trajectory, workflow_id: id, is_approved: true };
  const made = await askApi<{ id: string }>(api, "POST", "/v1/trajectories", recorded);
  await askApi(api, "PATCH", `/v1/trajectories/${made.id}`, { is_main: true });
  return id;
}
