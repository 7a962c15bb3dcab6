import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createPoolsApp } from "../../../functions/pools/app.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

const one = async (service: TestService) => `/v1/pools/${(await service.putPool()).id}`;
const machinesOfOne = async (service: TestService) => `${await one(service)}/machines`;
const machine = { machine_ids: [randomUUID()] };

const operations: Readonly<Record<string, Operation>> = {
  "GET /v1/pools": { method: "GET", path: () => "/v1/pools", wrongScope: "write", isOfOneResource: false },
  "POST /v1/pools": {
    method: "POST",
    path: () => "/v1/pools",
    body: { name: "made" },
    wrongScope: "read",
    isOfOneResource: false,
  },
  "GET /v1/pools/:pool_id": { method: "GET", path: one, wrongScope: "write", isOfOneResource: true },
  "PATCH /v1/pools/:pool_id": {
    method: "PATCH",
    path: one,
    body: { name: "renamed" },
    wrongScope: "read",
    isOfOneResource: true,
  },
  "DELETE /v1/pools/:pool_id": { method: "DELETE", path: one, wrongScope: "read", isOfOneResource: true },
  "POST /v1/pools/:pool_id/machines": {
    method: "POST",
    path: machinesOfOne,
    body: machine,
    wrongScope: "read",
    isOfOneResource: true,
  },
  "DELETE /v1/pools/:pool_id/machines": {
    method: "DELETE",
    path: machinesOfOne,
    body: machine,
    wrongScope: "read",
    isOfOneResource: true,
  },
};

describe("pools", () => {
  describeEveryRoute(createPoolsApp, operations);

  it("leaves no route out of this suite", async () => {
    const { deps } = await createTestService();
    const routes = createPoolsApp(deps)
      .routes.filter((route) => route.method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    expect(new Set(routes)).toEqual(new Set(Object.keys(operations)));
  });
});
