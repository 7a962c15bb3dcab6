import { describe, expect, it } from "vitest";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

async function one({ stores, organizationId }: TestService): Promise<string> {
  return `/v1/trajectories/${(await stores.put.trajectory({ organizationId })).id}`;
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
    path: async ({ organizationId, stores }) => {
      const { workflowId } = await stores.put.trajectory({ organizationId });
      return `/v1/workflows/${workflowId}/latest-trajectory`;
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
    path: async (service) => `${await one(service)}/duplicate`,
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
