import { randomUUID } from "node:crypto";
import { afterEach, expect, inject, it } from "vitest";
import { LiveTicket } from "../../shared/contract/live.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { LiveViewer } from "../support/stack/live-viewer.ts";
import { made } from "../support/stack/own-resources.ts";
import { hasEnded, serviceWorkflow } from "../support/stack/service-runs.ts";
import { startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import { ask, createOrganization, keyOf, type Organization, sweep } from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

const scroll = { type: "scroll", direction: "down", amount: 1 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => await end()));
});

async function ticketOf(key: string): Promise<LiveTicket> {
  const { status, body } = await ask("/v1/live-tickets", { key, method: "POST" });
  expect(status).toBe(201);
  return LiveTicket.parse(body);
}

async function viewerOf(key: string, ...topics: readonly string[]): Promise<LiveViewer> {
  const viewer = await LiveViewer.open((await ticketOf(key)).url);
  if (viewer === undefined) throw new Error("the viewer was not let in");
  ends.push(() => viewer.close());
  if (topics.length > 0) await viewer.watch(...topics);
  return viewer;
}

function connect(organization: Organization): void {
  const driver = startSimulatedDriver(inject("stack").websocketUrl, keyOf(organization, "driver"));
  ends.push(() => driver.stop());
}

it("people see machines connect, and runs and their steps, of their own organization alone", async () => {
  const [organization, stranger] = await Promise.all([createOrganization(), createOrganization()]);
  const key = keyOf(organization, "full");
  const { workflowId } = await serviceWorkflow(key, [scroll, scroll]);
  const runId = await made(key, "/v1/runs", { workflow_id: workflowId });
  const [viewer, foreign] = await Promise.all([
    viewerOf(organization.jwt, "machines", "runs", `run:${runId}`),
    viewerOf(keyOf(stranger, "read"), "machines", "runs", `run:${runId}`),
  ]);
  connect(organization);
  const of = (type: string) => viewer.hints().filter((hint) => hint.type === type);
  await until(() => of("run.changed").some((hint) => "status" in hint && hint.status === "success"));
  expect(await hasEnded(key, runId)).toBe(true);
  expect(of("run.changed").at(-1)).toMatchObject({
    run_id: runId,
    workflow_id: workflowId,
    status: "success",
  });
  expect(of("machine.changed").at(-1)).toMatchObject({ status: "connected" });
  await until(() => of("step.recorded").some((hint) => "index" in hint && hint.index >= 1));
  expect(of("step.recorded")).not.toEqual([]);
  expect(foreign.hints()).toEqual([]);
});

it("tickets open the live channel once and no tunnel, and drivers' credentials open no live channel", async () => {
  const organization = await createOrganization();
  const { url: websocketUrl } = { url: inject("stack").websocketUrl };
  const { url, ticket } = await ticketOf(keyOf(organization, "read"));
  const viewer = await LiveViewer.open(url);
  ends.push(() => viewer?.close());
  expect([viewer !== undefined, await LiveViewer.open(url)]).toEqual([true, undefined]);
  const asDriver = await ticketOf(keyOf(organization, "read"));
  for (const authorization of [`Bearer ${asDriver.ticket}`, `Ticket ${asDriver.ticket}`]) {
    expect(await FakePeer.dial({ url: websocketUrl, authorization })).toMatchObject({ status: 401 });
  }
  expect(ticket).not.toBe(asDriver.ticket);
  for (const wrong of [keyOf(organization, "driver"), organization.jwt, randomUUID()]) {
    expect(await LiveViewer.open(`${websocketUrl}?ticket=${wrong}`)).toBeUndefined();
  }
  viewer?.send({ type: "ping" });
  await until(() => viewer?.messages.some(({ type }) => type === "pong") ?? false);
  viewer?.send({ type: "hello", protocol: 1, capabilities: [] });
  await until(() => viewer?.isClosed ?? false);
  expect([viewer?.messages, viewer?.isClosed]).toEqual([[{ type: "pong" }], true]);
});

it("a revoked key's viewer is told so and ended by the next sweep", async () => {
  const organization = await createOrganization();
  const admin = keyOf(organization, "full");
  const { body } = await ask<{ id: string; api_key: string }>("/v1/api-keys", {
    key: organization.jwt,
    body: { name: "screen", scopes: ["read"] },
  });
  const [viewer, other] = await Promise.all([viewerOf(body.api_key, "runs"), viewerOf(admin, "runs")]);
  await ask(`/v1/api-keys/${body.id}`, { key: organization.jwt, method: "DELETE" });
  await sweep();
  await until(() => viewer.isClosed);
  expect(viewer.hints()).toEqual([{ type: "goodbye", code: "revoked", retry_after_seconds: null }]);
  expect([viewer.isClosed, other.isClosed]).toEqual([true, false]);
});
