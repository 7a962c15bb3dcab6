import { describe, expect, it } from "vitest";
import { createFollowingApp } from "../../../functions/following/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createPoolsApp } from "../../../functions/pools/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const { organizationId, stores, deps } = service;
  const machine = await service.putMachine();
  const pool = await service.putPool();
  const run = await stores.put.run({ organizationId, machineId: machine.id, status: "running" });
  const apps = { machines: createMachinesApp(deps), pools: createPoolsApp(deps), runs: createRunsApp(deps) };
  const send = async (authorization: string, path: string, body?: object) => {
    const isOneRun = path.startsWith("/v1/runs/");
    const app = isOneRun ? createFollowingApp(deps) : apps[path.split(/[/?]/)[2] as keyof typeof apps];
    const headers = { authorization, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await app.request(path, init);
    expect(response.status).toBe(200);
    return await response.text();
  };
  const joining = { machine_ids: [machine.id] };
  await send(service.authorize(), `/v1/pools/${pool.id}/machines`, joining);
  const paths = [
    `/v1/machines/${machine.id}`,
    "/v1/machines",
    `/v1/pools/${pool.id}?include=machines`,
    `/v1/runs/${run.id}?include=machine`,
    "/v1/runs?include=machine",
  ];
  return { ...service, machine, send, paths };
}

describe("a machine's fingerprint, by which its driver identifies it", () => {
  it("is nowhere shown to a key that may only look", async () => {
    const { authorize, machine, send, paths } = await setUp();
    for (const path of paths) {
      const text = await send(authorize({ scopes: ["read", "worker"] }), path);
      expect(text, path).toContain(machine.id);
      expect(text, path).toContain('"fingerprint":null');
      expect(text, path).not.toContain(machine.fingerprint);
    }
  });

  it("is shown to a key that writes, and to a dashboard session", async () => {
    const { authorize, identity, organizationId, machine, send, paths } = await setUp();
    const session = `Bearer ${await identity.token({ org_id: organizationId })}`;
    for (const authorization of [authorize({ scopes: ["read", "write"] }), session]) {
      for (const path of paths) expect(await send(authorization, path), path).toContain(machine.fingerprint);
    }
  });
});
