import { beforeEach, describe, expect, inject, it } from "vitest";
import { ErrorBody } from "../../shared/contract/errors.ts";
import { MachineEvent, RunEvent } from "../../shared/contract/events.ts";
import { Run } from "../../shared/contract/run/run.ts";
import { spawnDriver } from "../support/stack/spawn-driver.ts";
import { ask, control, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";
import { openStackTable, rowsOf } from "../support/stack/storage.ts";
import { until } from "../support/stack/until.ts";

interface Published {
  readonly eventBusName: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: { readonly organization_id: string };
  readonly time: string;
  readonly functionName: string;
}

const secret = "a-value-that-nobody-may-see";

let organization: Organization;
let key: string;

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});

/** What this organization's customers were told, in the order in which it was published. */
async function published(): Promise<readonly Published[]> {
  const { items } = await control<{ items: readonly Published[] }>("/aws/events");
  return items.filter(({ detail }) => detail.organization_id === organization.organization_id);
}

/** Those about that run or machine, once there are so many. */
async function told(id: string, count: number): Promise<readonly Published[]> {
  const ofIt = async () =>
    (await published()).filter(({ detail }) => JSON.stringify(detail).includes(`"${id}"`));
  await until(async () => (await ofIt()).length >= count);
  return await ofIt();
}

async function createRun(): Promise<Run> {
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: `Open ${secret}.`, executor: "worker" },
  });
  const body = {
    workflow_id: workflow.body.id,
    input_values: { customer: secret },
    sensitive_input_values: { pin: secret },
    session_alias: secret,
  };
  return Run.parse((await ask("/v1/runs", { key, body })).body);
}

const patch = (path: string, body: object) => ask(path, { method: "PATCH", key, body });

describe("events", () => {
  it("tell a run's steps on the deployment's bus, each once, without inputs, outputs or secrets", async () => {
    const run = await createRun();
    await patch(`/v1/runs/${run.id}`, { status: "cancelled", error: [secret], output_data: { a: secret } });
    await ask(`/v1/runs/${run.id}`, { method: "DELETE", key });
    const events = await told(run.id, 3);
    expect(events.map(({ detailType }) => detailType)).toEqual([
      "run.created",
      "run.cancelled",
      "run.deleted",
    ]);
    for (const { eventBusName, source, functionName } of events) {
      expect([eventBusName, source, functionName]).toEqual([
        "das-main",
        "desktop-automation-service",
        "projector",
      ]);
    }
    const details = events.map(({ detail }) => RunEvent.parse(detail));
    expect(details).toMatchObject([
      { status: "scheduling", previous_status: null, workflow_id: run.workflow_id, ended_at: null },
      { status: "cancelled", previous_status: "scheduling", ended_at: expect.any(String) },
      { status: "cancelled", previous_status: "cancelled" },
    ]);
    expect(new Set(details.map(({ event_id }) => event_id)).size).toBe(3);
    const revisions = details.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
    expect(JSON.stringify(await published())).not.toContain(secret);
  });

  it("tell a machine's coming and going, and its user's switch", async () => {
    const driver = await spawnDriver({
      websocketUrl: inject("stack").websocketUrl,
      key: keyOf(organization, "driver"),
    });
    const { machineId } = driver;
    try {
      await told(machineId, 2);
      const parameters = {
        machine_parameters: { site: secret },
        machine_sensitive_parameters: { pin: secret },
      };
      await patch(`/v1/machines/${machineId}`, { is_available: false, ...parameters });
      await patch(`/v1/machines/${machineId}`, { status: "error" });
      await told(machineId, 4);
      await patch(`/v1/machines/${machineId}`, { status: "connected", is_available: true });
      await told(machineId, 6);
    } finally {
      await driver.stop();
    }
    const events = await told(machineId, 7);
    expect(events.map(({ detailType }) => detailType)).toEqual([
      "machine.created",
      "machine.connected",
      "machine.unavailable",
      "machine.error",
      "machine.connected",
      "machine.available",
      "machine.disconnected",
    ]);
    const details = events.map(({ detail }) => MachineEvent.parse(detail));
    expect(details[1]).toMatchObject({
      machine_id: machineId,
      status: "connected",
      previous_status: "disconnected",
    });
    expect(details[4]).toMatchObject({ status: "connected", previous_status: "error" });
    expect(JSON.stringify(await published())).not.toContain(secret);
  });
});

describe("the secret of a run", () => {
  it("goes when the run has ended, and a retry asks for its values again", async () => {
    const run = await createRun();
    const table = await openStackTable();
    const secrets = async () => await rowsOf(table, organization.organization_id, "run_secret");
    expect(await secrets()).toHaveLength(1);
    await patch(`/v1/runs/${run.id}`, { status: "cancelled" });
    await until(async () => (await secrets()).length === 0);
    expect(await secrets()).toEqual([]);
    const refused = await ask(`/v1/runs/${run.id}/retry`, { key, body: {} });
    expect([refused.status, ErrorBody.parse(refused.body)]).toMatchObject([
      409,
      { error_code: "secrets_gone", details: { aliases: ["pin"] } },
    ]);
    const body = { sensitive_input_values: { pin: secret } };
    expect((await ask(`/v1/runs/${run.id}/retry`, { key, body })).status).toBe(200);
    expect(await secrets()).toHaveLength(1);
    table.client.destroy();
    const types = (await told(run.id, 3)).map(({ detailType }) => detailType);
    expect(types).toEqual(["run.created", "run.cancelled", "run.retried"]);
  });
});
