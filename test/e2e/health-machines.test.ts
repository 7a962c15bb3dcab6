import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { MachineHealthReport } from "../../shared/contract/health.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { type SpawnedDriver, spawnDriver } from "../support/stack/spawn-driver.ts";
import { ask, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

let organization: Organization;
let other: Organization;
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
  [organization, other] = await Promise.all([createOrganization(), createOrganization()]);
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
  it("of an organization without a machine is ok", async () => {
    expect(await report(other)).toMatchObject({
      status: "ok",
      scope: "organization",
      checked_machines: 0,
      healthy_machines: 0,
      errored_machines: [],
    });
  });

  it("counts a machine that answers", async () => {
    expect(await report(organization)).toMatchObject({
      status: "ok",
      scope: "organization",
      checked_machines: 1,
      healthy_machines: 1,
      errored_machines: [],
    });
  });

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

  it("names a machine that fails, with the status its own call would have", async () => {
    const third = await createOrganization();
    const machineId = await connectMute(third);
    const [peer] = peers.slice(-1);
    peer?.onRequest((request) => peer.answer(request, Buffer.from('{"error":"no display"}'), 500));
    expect((await report(third)).errored_machines).toMatchObject([
      { machine_id: machineId, status_code: 502 },
    ]);
  });

  it("leaves out machines that are not connected", async () => {
    const fourth = await createOrganization();
    await connectMute(fourth);
    await peers.pop()?.close();
    await until(async () => (await report(fourth)).checked_machines === 0);
    expect(await report(fourth)).toMatchObject({ status: "ok", checked_machines: 0 });
  });
});
