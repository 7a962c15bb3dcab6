import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { FakePeer } from "../../support/fake-peer/fake-peer.ts";
import { clearFaults, faultsLeft, injectFault } from "../../support/stack/faults.ts";
import { createOwnResources, made } from "../../support/stack/own-resources.ts";
import { ask, createOrganization, keyOf, sweep } from "../../support/stack/stack-client.ts";
import {
  ageConnections,
  agedDeletions,
  openStackTable,
  type StackTable,
  secretsOf,
} from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

let table: StackTable;

beforeAll(async () => {
  table = await openStackTable();
});

afterEach(clearFaults);

describe("deletions that the projector cannot finish", () => {
  it("are finished by the sweeper, of every kind and with all that belongs to it", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const own = await createOwnResources(key, {});
    const secret = { pin: "a-secret-value" };
    const pool_id = await made(key, "/v1/pools", {
      name: randomUUID(),
      pool_sensitive_parameters: secret,
    });
    const machine_id = await made(key, "/v1/machines", {
      fingerprint: randomUUID(),
      machine_sensitive_parameters: secret,
    });
    const tag_id = await made(key, "/v1/workflow-tags", { name: randomUUID(), group_id: own.group_id });
    await ask(`/v1/workflows/${own.workflow_id}/tags`, { key, body: { tag_ids: [own.tag_id, tag_id] } });
    await ask(`/v1/pools/${pool_id}/machines`, { key, body: { machine_ids: [machine_id] } });
    const { workflow_id } = own;
    for (const target of [{ pool_ids: [pool_id] }, { machine_id }, {}, {}]) {
      await made(key, "/v1/runs", { workflow_id, sensitive_input_values: secret, ...target });
    }
    const run_id = await made(key, "/v1/runs", { workflow_id, sensitive_input_values: secret });
    await made(key, "/v1/run-attachments", {
      run_id,
      attachment_type: "output",
      filename: "a.txt",
      content: "YWJj",
      content_type: "text/plain",
    });

    await injectFault({
      service: "dynamodb",
      functionName: "projector",
      count: null,
      error: "ValidationException",
      message: "injected",
    });
    for (const path of [
      `run-attachments/${own.attachment_id}`,
      `trajectories/${own.trajectory_id}`,
      `runs/${run_id}`,
      `pools/${pool_id}`,
      `pools/${own.pool_id}`,
      `machines/${machine_id}`,
      `workflow-tags/${tag_id}`,
      `workflow-tag-groups/${own.group_id}`,
      `workflows/${workflow_id}`,
      `webhook-endpoints/${own.endpoint_id}`,
    ]) {
      expect((await ask(`/v1/${path}`, { method: "DELETE", key })).status, path).toBe(204);
    }
    const left = () => agedDeletions(table, organization.organization_id);
    expect(await left()).toBeGreaterThanOrEqual(9);
    // A deletion may mark another, which is due like the first.
    await until(async () => {
      await sweep();
      return (await left()) === 0;
    });
    expect(await left()).toBe(0);
    const kept = (await secretsOf(organization.organization_id)).map((name) => name.split("/")[3]);
    expect(kept.filter((kind) => kind !== "run")).toEqual([]);
  });
});

describe("a connection whose end was not noticed", () => {
  it("is closed once the gateway says that it is gone, and no other", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const authorization = `Bearer ${keyOf(organization, "driver")}`;
    const connect = async () => {
      const peer = await FakePeer.connect({ url: inject("stack").websocketUrl, authorization });
      const { machine_id } = await peer.next("welcome");
      const status = async () => (await ask(`/v1/machines/${machine_id}`, { key })).body.status;
      return { peer, status };
    };
    const [gone, there] = [await connect(), await connect()];
    await injectFault({
      service: "dynamodb",
      functionName: "tunnel",
      error: "ValidationException",
      message: "injected",
    });
    await gone.peer.close();
    await until(async () => (await faultsLeft()).length === 0);
    expect(await gone.status()).toBe("connected");
    await until(async () => {
      await ageConnections(table, organization.organization_id);
      await sweep();
      return (await gone.status()) === "disconnected";
    });
    expect(await there.status()).toBe("connected");
    await there.peer.close();
  });
});
