import { describe, expect, it } from "vitest";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { aTrajectory } from "../../support/builders/trajectories.ts";
import { aWorkflow } from "../../support/builders/workflows.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

function one(service: TestService): string {
  const trajectory = aTrajectory({ organizationId: service.organizationId });
  service.stores.trajectories.write(trajectory);
  return `/v1/trajectories/${trajectory.id}`;
}

const operations: Readonly<Record<string, Operation>> = {
  "GET /v1/trajectories": {
    method: "GET",
    path: () => "/v1/trajectories",
    wrongScope: "write",
    isOfOneResource: false,
  },
  "POST /v1/trajectories": {
    method: "POST",
    path: () => "/v1/trajectories",
    body: { workflow_id: "0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e", trajectory_data: [1] },
    wrongScope: "read",
    isOfOneResource: false,
  },
  "GET /v1/trajectories/:trajectory_id": {
    method: "GET",
    path: one,
    wrongScope: "write",
    isOfOneResource: true,
  },
  "GET /v1/workflows/:workflow_id/latest-trajectory": {
    method: "GET",
    path: ({ organizationId, stores }) => {
      const workflow = aWorkflow({ organizationId });
      stores.workflows.write(workflow);
      stores.trajectories.write(aTrajectory({ organizationId, workflowId: workflow.id }));
      return `/v1/workflows/${workflow.id}/latest-trajectory`;
    },
    wrongScope: "write",
    isOfOneResource: true,
  },
  "PATCH /v1/trajectories/:trajectory_id": {
    method: "PATCH",
    path: one,
    body: { name: "renamed" },
    wrongScope: "read",
    isOfOneResource: true,
  },
  "DELETE /v1/trajectories/:trajectory_id": {
    method: "DELETE",
    path: one,
    wrongScope: "read",
    isOfOneResource: true,
  },
  "POST /v1/trajectories/:trajectory_id/duplicate": {
    method: "POST",
    path: (service) => `${one(service)}/duplicate`,
    wrongScope: "read",
    isOfOneResource: true,
  },
};

describe("trajectories", () => {
  describeEveryRoute(createTrajectoriesApp, operations);

  it("leaves no route out of this suite", async () => {
    const { deps } = await createTestService();
    const routes = createTrajectoriesApp(deps)
      .routes.filter((route) => route.method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    expect(new Set(routes)).toEqual(new Set(Object.keys(operations)));
  });
});
