import { expect, inject, it, onTestFinished } from "vitest";
import { MachineHealthReport } from "../../../shared/contract/health.ts";
import { FakePeer } from "../../support/fake-peer/fake-peer.ts";
import { ask, createOrganization, keyOf, type Organization } from "../../support/stack/stack-client.ts";

async function connect(
  owner: Organization,
): Promise<{ readonly peer: FakePeer; readonly machineId: string }> {
  const { websocketUrl: url } = inject("stack");
  const peer = await FakePeer.connect({ url, authorization: `Bearer ${keyOf(owner, "driver")}` });
  onTestFinished(() => peer.close());
  return { peer, machineId: (await peer.next("welcome")).machine_id };
}

async function report(owner: Organization, keyName: string): Promise<MachineHealthReport> {
  const answer = await ask("/health/machines", { key: keyOf(owner, keyName) });
  expect(answer.status).toBe(200);
  return MachineHealthReport.parse(answer.body);
}

it("the machines' health of all organizations is for operators only, who see everybody's machines", async () => {
  const [organization, other] = await Promise.all([createOrganization(), createOrganization()]);
  const [healthy, mute] = await Promise.all([connect(organization), connect(other)]);
  // So many calls are looked for in one batch.
  const silent = [mute, ...(await Promise.all([1, 2, 3].map(() => connect(organization))))];
  for (const { peer } of silent) peer.stayMute();
  const [own, found] = await Promise.all([report(other, "full"), report(organization, "operator")]);
  expect(own).toMatchObject({ scope: "organization", checked_machines: 1 });
  expect(found).toMatchObject({ scope: "all_organizations", status: "error" });
  expect(found.checked_machines).toBeGreaterThanOrEqual(2);
  expect(found.healthy_machines).toBe(found.checked_machines - found.errored_machines.length);
  const ids = found.errored_machines.map(({ machine_id }) => machine_id);
  expect(ids).toContain(mute.machineId);
  expect(ids).not.toContain(healthy.machineId);
});
