import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHealthApp } from "../../../functions/health/app.ts";
import { createMachineHealthApp } from "../../../functions/machine-health/app.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { DatabaseHealth, Health, MachineHealthReport } from "../../../shared/contract/health.ts";
import { aConnection } from "../../support/builders/entities.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

async function connectedMachine(service: TestService) {
  const machine = await service.putMachine({ name: "till" });
  const connection = aConnection(machine, { id: randomUUID() });
  await service.stores.connections.open(connection);
  await service.stores.connections.activate(connection, {}, service.deps.clock.now());
  return machine;
}

async function reportFor(service: TestService, authorization: string) {
  const response = await createMachineHealthApp(service.deps).request("/health/machines", {
    headers: { authorization },
  });
  expect(response.status).toBe(200);
  return MachineHealthReport.parse(await response.json());
}

describe("GET /v1/health", () => {
  it("answers anybody with the version", async () => {
    const { deps } = await createTestService();
    const response = await createHealthApp(deps).request("/v1/health");
    expect(Health.parse(await response.json())).toEqual({ status: "ok", version: "1.2.3" });
  });

  it("answers also with credentials that are not valid, and is not limited", async () => {
    const service = await createTestService();
    service.deps.rateLimiter.take = () => {
      throw new Error("health is exempt from limits");
    };
    const app = createHealthApp(service.deps);
    for (const path of ["/v1/health", "/v1/health/db"]) {
      expect((await app.request(path, { headers: { authorization: "Bearer nonsense" } })).status).toBe(200);
    }
  });
});

describe("GET /", () => {
  it("leads a browser to the reference, and is no route for programs", async () => {
    const { deps } = await createTestService();
    const app = createHealthApp(deps);
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const response = await app.request("/", { headers });
    expect([response.status, response.headers.get("location")]).toEqual([307, "/docs"]);
    for (const accept of ["*/*", "application/json"]) {
      const refused = await app.request("/", { headers: { accept } });
      expect(refused.status).toBe(404);
      expect(ErrorBody.parse(await refused.json()).error_code).toBe("route_not_found");
    }
  });
});

describe("GET /v1/health/db", () => {
  it("answers how long one read takes", async () => {
    const { deps } = await createTestService();
    const probeDatabase = async () => deps.clock.advance(7);
    const response = await createHealthApp({ ...deps, probeDatabase }).request("/v1/health/db");
    expect(response.status).toBe(200);
    expect(DatabaseHealth.parse(await response.json())).toEqual({ status: "ok", latency_ms: 7 });
  });

  it("answers 503 without a reason when the table is away, and logs the reason", async () => {
    const { deps, log } = await createTestService();
    const probeDatabase = () => Promise.reject(new Error("connect ECONNREFUSED"));
    const response = await createHealthApp({ ...deps, probeDatabase }).request("/v1/health/db");
    expect(response.status).toBe(503);
    expect(DatabaseHealth.parse(await response.json())).toEqual({ status: "error" });
    expect(log.text()).toContain("ECONNREFUSED");
  });

  it("answers 503 when the table keeps silent", async () => {
    const { deps } = await createTestService();
    const probeDatabase = () => new Promise<void>(() => {});
    const response = await createHealthApp({ ...deps, probeDatabase }).request("/v1/health/db");
    expect(response.status).toBe(503);
  });
});

describe("GET /health/machines", () => {
  it("reports the machines that do not answer, with their status codes, and is still 200", async () => {
    const service = await createTestService();
    for (let count = 0; count < 2; count += 1) await connectedMachine(service);
    service.channel.willAnswer({ kind: "timeout" }, answered(200, { width: 1, height: 1 }));
    expect(await reportFor(service, service.authorize())).toMatchObject({
      status: "error",
      scope: "organization",
      checked_machines: 2,
      healthy_machines: 1,
      errored_machines: [
        {
          machine_id: expect.any(String),
          organization_id: service.organizationId,
          machine_name: "till",
          status_code: 504,
        },
      ],
      message: "1 of 2 connected machines failed",
    });
    expect(service.channel.requests[0]).toMatchObject({ path: "/computer/display/dimensions" });
  });
});

describe("any other route", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/v1/machinery"],
    ["PUT", "/v1/machines"],
    ["POST", "/v1/health"],
    ["OPTIONS", "/v1/machines"],
    ["DELETE", "/health/machines/7"],
  ])("%s %s answers 404 in the specification's words", async (method, path) => {
    const { deps } = await createTestService();
    const response = await createHealthApp(deps).request(path, { method });
    expect([response.status, ErrorBody.parse(await response.json())]).toMatchObject([
      404,
      {
        error: "Not Found",
        error_code: "route_not_found",
        message: expect.stringContaining(`${method} ${path}`),
      },
    ]);
  });
});
