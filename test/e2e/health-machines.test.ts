import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { MachineHealthReport } from "../../shared/contract/health.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { type SpawnedDriver, spawnDriver } from "../support/stack/spawn-driver.ts";
import { ask, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";

let organization: Organization;
let healthy: SpawnedDriver;
const peers: FakePeer[] = [];

async function connectMute(owner: Organization): Promise<string> {
  const peer = await FakePeer.connect({
    url: inject("stack").websocketUrl,
    authorization: `Bearer ${keyOf(owner, "driver")}`,
  });
  peers.push(peer);
  peer.stayMute();
  return (await peer.next("welcome")).machine_id;
}

beforeAll(async () => {
  organization = await createOrganization();
  healthy = await spawnDriver({
    websocketUrl: inject("stack").websocketUrl,
    key: keyOf(organization, "driver"),
  });
});
afterAll(async () => {
  await Promise.all([healthy?.stop(), ...peers.map((peer) => peer.close())]);
});

async function report(owner: Organization) {
  const startedMs = performance.now();
  const answer = await ask("/health/machines", { key: keyOf(owner, "full") });
  expect(answer.status).toBe(200);
  return { ...MachineHealthReport.parse(answer.body), tookMs: performance.now() - startedMs };
}

describe("the machines' health", () => {
  it("names a machine that is mute, after 8 s, with the status its own call would have", async () => {
    const machineId = await connectMute(organization);
    const found = await report(organization);
    expect(found).toMatchObject({ status: "error", checked_machines: 2, healthy_machines: 1 });
    expect(found.errored_machines).toEqual([
      {
        machine_id: machineId,
        organization_id: organization.organization_id,
        machine_name: expect.any(String),
        error: expect.stringContaining("did not respond in time"),
        status_code: 504,
      },
    ]);
    expect(found.tookMs).toBeGreaterThan(7_900);
    expect(found.tookMs).toBeLessThan(15_000);
  });
});
