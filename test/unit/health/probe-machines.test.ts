import { describe, expect, it } from "vitest";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { probeMachines } from "../../../shared/domain/health/probe-machines.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { DriverAnswer, DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import type { Scope } from "../../../shared/vocabulary/access.ts";
import { aConnection, aMachine, anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

const healthy: DriverAnswer = {
  kind: "answered",
  status: 200,
  headers: {},
  body: new TextEncoder().encode('{"width":1,"height":1}'),
};

function callerOf(organizationId: OrganizationId, scopes: readonly Scope[]): Caller {
  return {
    kind: "api_key",
    organizationId,
    userId: "0190b5a0-0000-7000-8000-0000000000bb",
    principal: "p",
    keyId: "k",
    scopes,
  };
}

function setUp(answer: (request: DriverRequest) => Promise<DriverAnswer>) {
  const stores = createModelStores();
  const running = { now: 0, most: 0, requests: 0 };
  const deps = {
    ...stores,
    organizationCallsMax: 200,
    statusOf: () => 504,
    channel: {
      request: async (request: DriverRequest) => {
        running.requests += 1;
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        try {
          return await answer(request);
        } finally {
          running.now -= 1;
        }
      },
    },
  };
  const connect = async (organizationId: OrganizationId, name = "") => {
    const machine = aMachine({ organizationId, name });
    await stores.machines.create(machine);
    const connection = aConnection(machine);
    await stores.connections.open(connection);
    await stores.connections.activate(connection, {}, stores.clock.now());
    return machine;
  };
  return { ...stores, deps, running, connect };
}

describe("probeMachines", () => {
  it("probes the connected machines of the caller's organization and no others", async () => {
    const { deps, connect, machines, running } = setUp(async () => healthy);
    const organizationId = anOrganization();
    await connect(organizationId);
    await connect(organizationId);
    await connect(anOrganization());
    await machines.create(aMachine({ organizationId }));
    const report = await probeMachines(deps, callerOf(organizationId, ["read"]));
    expect(report).toEqual({ scope: "organization", checkedMachines: 2, faults: [] });
    expect(running.requests).toBe(2);
  });

  it("probes every organization's for an operator", async () => {
    const { deps, connect } = setUp(async () => healthy);
    await connect(anOrganization());
    await connect(anOrganization());
    const report = await probeMachines(deps, callerOf(anOrganization(), ["operator"]));
    expect(report).toEqual({ scope: "all_organizations", checkedMachines: 2, faults: [] });
  });

  it("names each machine that fails, and why", async () => {
    const { deps, connect } = setUp(async () => ({ kind: "timeout" }));
    const organizationId = anOrganization();
    const machine = await connect(organizationId, "front desk");
    const report = await probeMachines(deps, callerOf(organizationId, ["read"]));
    expect(report.checkedMachines).toBe(1);
    expect(report.faults).toEqual([
      {
        machineId: machine.id,
        organizationId,
        machineName: "front desk",
        error: expect.stringContaining("did not respond in time"),
        statusCode: 504,
      },
    ]);
  });

  it("has at most fifty probes in flight", async () => {
    const { deps, connect, running } = setUp(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return healthy;
    });
    const organizationId = anOrganization();
    for (let count = 0; count < 120; count += 1) await connect(organizationId);
    const report = await probeMachines(deps, callerOf(organizationId, ["read"]));
    expect(report.checkedMachines).toBe(120);
    expect(running.most).toBe(50);
  });

  it("reaches every machine of an organization while another one has hundreds that keep silent", async () => {
    const [mute, other] = [anOrganization(), anOrganization()];
    const { deps, clock, connect } = setUp(async ({ organizationId }) => {
      if (organizationId !== mute) return healthy;
      await clock.sleep(8_000);
      return { kind: "timeout" };
    });
    for (let count = 0; count < 400; count += 1) await connect(mute);
    for (let count = 0; count < 100; count += 1) await connect(other);
    const report = await probeMachines(deps, callerOf(anOrganization(), ["operator"]));
    expect(report.checkedMachines).toBe(500);
    expect(report.faults.filter(({ organizationId }) => organizationId === other)).toEqual([]);
  });

  it("gives a probe 8 s at most, ends within 25 s in all, and reports what it had no time for", async () => {
    const timeouts: number[] = [];
    const { deps, clock, connect } = setUp(async (request) => {
      timeouts.push(request.timeoutMs);
      const until = clock.now() + request.timeoutMs;
      await new Promise((resolve) => setImmediate(resolve));
      if (clock.now() < until) clock.advance(until - clock.now());
      return { kind: "timeout" };
    });
    const startMs = clock.now();
    const organizationId = anOrganization();
    for (let count = 0; count < 220; count += 1) await connect(organizationId);
    const report = await probeMachines(deps, callerOf(organizationId, ["read"]));
    expect(report.checkedMachines).toBe(220);
    expect(report.faults).toHaveLength(220);
    expect(Math.max(...timeouts)).toBe(8_000);
    expect(clock.now() - startMs).toBeLessThanOrEqual(25_000);
    expect(report.faults.filter((fault) => fault.error.startsWith("not probed"))).toHaveLength(20);
  });
});
