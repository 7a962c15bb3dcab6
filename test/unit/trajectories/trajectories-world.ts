import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { WrittenTrajectory } from "../../../shared/contract/trajectory/trajectory.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

/** One action that an item keeps in place, and so many that they need an object. */
export const light = [{ action: "click", coordinate: [1, 2] }];
export const heavy = Array.from({ length: 400 }, (_, step) => ({ action: "type", text: "words", step }));

export async function trajectoriesWorld() {
  const service = await createTestService();
  const app = createTrajectoriesApp(service.deps);
  const { organizationId, stores } = service;
  const putWorkflow = (fields: Partial<Workflow> = {}) => stores.put.workflow({ organizationId, ...fields });
  const workflow = await putWorkflow();
  const ask = asking(app, service.authorize(), "/v1/trajectories");
  const make = async (fields: Readonly<Record<string, unknown>> = {}) => {
    stores.clock.advance(1_000);
    const answer = await ask("POST", "", { workflow_id: workflow.id, trajectory_data: light, ...fields });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
    const { warnings: _warnings, ...trajectory } = WrittenTrajectory.parse(answer.json);
    return trajectory;
  };
  return { ...service, putWorkflow, workflow, ask, make };
}
