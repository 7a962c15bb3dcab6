import type { ApiClient } from "../../shared/client/api-client.ts";

/** A function that is ended in the middle of a run leaves at most one of each; the organization has nothing else. */
export async function removeLeft(client: ApiClient): Promise<void> {
  for (const { id: run_id } of (await client.call("listRuns", {})).items) {
    await client.call("cancelRun", { path: { run_id } });
    await client.call("deleteRun", { path: { run_id } });
  }
  for (const { id: trajectory_id } of (await client.call("listTrajectories", {})).items) {
    await client.call("deleteTrajectory", { path: { trajectory_id } });
  }
  for (const { id: workflow_id } of (await client.call("listWorkflows", {})).items) {
    await client.call("deleteWorkflow", { path: { workflow_id } });
  }
  for (const { id: machine_id } of (await client.call("listMachines", {})).items) {
    await client.call("deleteMachine", { path: { machine_id } });
  }
}
