import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

const one = async (service: TestService) => `/v1/machines/${(await service.putMachine()).id}`;

const operations: Readonly<Record<string, Operation>> = {
  "GET /v1/machines": {
    method: "GET",
    path: () => "/v1/machines",
    wrongScope: "write",
    isOfOneResource: false,
  },
  "POST /v1/machines": {
    method: "POST",
    path: () => "/v1/machines",
    body: { fingerprint: randomUUID() },
    wrongScope: "read",
    isOfOneResource: false,
  },
  "GET /v1/machines/:machine_id": { method: "GET", path: one, wrongScope: "write", isOfOneResource: true },
  "PATCH /v1/machines/:machine_id": {
    method: "PATCH",
    path: one,
    body: { name: "renamed" },
    wrongScope: "read",
    isOfOneResource: true,
  },
  "DELETE /v1/machines/:machine_id": {
    method: "DELETE",
    path: one,
    wrongScope: "read",
    isOfOneResource: true,
  },
  "GET /v1/machines/:machine_id/pools": {
    method: "GET",
    path: async (service) => `${await one(service)}/pools`,
    wrongScope: "write",
    isOfOneResource: true,
  },
  "PUT /v1/machines/:machine_id/pools": {
    method: "PUT",
    path: async (service) => `${await one(service)}/pools`,
    body: { pool_ids: [] },
    wrongScope: "read",
    isOfOneResource: true,
  },
  "POST /v1/machines/:machine_id/driver/shutdown": {
    method: "POST",
    path: async (service) => `${await one(service)}/driver/shutdown`,
    body: {},
    wrongScope: "read",
    isOfOneResource: true,
  },
};

describe("machines", () => {
  describeEveryRoute(createMachinesApp, operations);

  it("leaves no route out of this suite", async () => {
    const { deps } = await createTestService();
    const routes = createMachinesApp(deps)
      .routes.filter((route) => route.method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    expect(new Set(routes)).toEqual(new Set(Object.keys(operations)));
  });
});
