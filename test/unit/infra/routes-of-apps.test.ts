import { describe, expect, it } from "vitest";
import { routeGroups } from "../../../infra/route-groups.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp({}, routeGroups));
const routeKeys = resourcesOf(service, "AWS::ApiGatewayV2::Route").map(
  ({ Properties }) => Properties.RouteKey,
);

describe("API Gateway's routes", () => {
  it("are the apps' own, each operation in one group only", () => {
    const operations = Object.values(routeGroups).flatMap((routes) =>
      routes.map(({ method, path }) => `${method} ${path}`),
    );
    expect(new Set(operations).size).toBe(operations.length);
    expect(routeKeys.sort()).toEqual(
      [...operations, "$default", "$connect", "$disconnect", "$default"].sort(),
    );
  });

  it.each([
    "GET /v1/health",
    "GET /v1/health/db",
    "GET /health/machines",
    "POST /api/driver/connection-token",
    "POST /api/driver/authorize-connection",
    "PATCH /v1/machines/{machine_id}",
    "GET /v1/machines/{machine_id}/pools",
    "PUT /v1/machines/{machine_id}/pools",
    "POST /v1/machines/{machine_id}/driver/shutdown",
    "DELETE /v1/pools/{pool_id}",
    "DELETE /v1/pools/{pool_id}/machines",
    "POST /v1/computer/{machine_id}/input/mouse/scroll",
    "DELETE /v1/runs/{run_id}",
    "GET /v1/runs/{run_id}/inputs",
    "POST /v1/runs/bulk",
    "POST /v1/runs/chain",
    "POST /v1/runs/{run_id}/retry",
    "GET /v1/run-attachments/{attachment_id}/download-url",
    "POST /v1/workflow-tags/{tag_id}/archive",
    "PUT /v1/workflow-tag-groups/reorder",
    "POST /v1/workflows/bulk/tags",
    "DELETE /v1/workflows/{workflow_id}/tags/{tag_id}",
  ])("include %s", (operation) => {
    expect(routeKeys).toContain(operation);
  });
});
