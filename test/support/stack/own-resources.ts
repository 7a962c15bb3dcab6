import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { expect } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { createResources, type Ids } from "./create-resources.ts";
import { ask, askAgain } from "./stack-client.ts";
import { until } from "./until.ts";

/** Creates a resource by POST, and returns its id. */
export async function made(key: string, path: string, body: unknown): Promise<string> {
  return String((await answered(key, path, body)).id);
}

async function answered(key: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { "idempotency-key": randomUUID() };
  const answer = await askAgain(path, { key, body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/**
 * Creates one of each resource that needs no desktop, but for those given. The organization has one endpoint, and the
 * workflow names a configuration of its own.
 */
export async function createOwnResources<Given extends Ids>(key: string, given: Given) {
  const configuration = { name: randomUUID(), provider: "openai", model: "a-model" };
  const [webhook, model_configuration_id] = await Promise.all([
    given.endpoint_id === undefined ? ownWebhook(key) : {},
    made(key, "/v1/model-configurations", configuration),
  ]);
  const workflow = { main_prompt: "Open the shop.", executor: "worker", model_configuration_id };
  const workflow_id = await made(key, "/v1/workflows", workflow);
  return await createResources(async ({ path }, body) => await answered(key, path, body), {
    ...given,
    ...webhook,
    workflow_id,
  });
}

async function ownWebhook(
  key: string,
): Promise<{ readonly endpoint_id: string; readonly delivery_id: string }> {
  const firstOf = async (path: string) => (await ask<List>(path, { key })).body.items[0]?.id;
  const body = { url: await receiverUrl(), event_types: ["machine.created"] };
  const endpoint_id =
    (await firstOf("/v1/webhook-endpoints")) ?? (await made(key, "/v1/webhook-endpoints", body));
  const deliveries = `/v1/webhook-endpoints/${endpoint_id}/deliveries`;
  if ((await firstOf(deliveries)) === undefined) {
    await made(key, "/v1/machines", { fingerprint: randomUUID() });
  }
  return { endpoint_id, delivery_id: await newestId(key, deliveries) };
}

let receiver: Promise<string> | undefined;

export function receiverUrl(): Promise<string> {
  receiver ??= (async () => {
    const server = createServer((incoming, response) => {
      incoming.resume();
      response.writeHead(204).end();
    }).unref();
    return `${(await listenOnLoopback(server, 0)).url}/`;
  })();
  return receiver;
}

/** Ids of an organization's newest log lines; the function calls the machine, which is connected, to have one. */
export async function lineIdsOf(key: string, machineId: string) {
  expect((await ask(`/v1/computer/${machineId}/display/dimensions`, { key })).status).toBe(200);
  const request_log_id = await newestId(key, `/v1/request-logs?machine_id=${machineId}`);
  const newest = await newestId(key, "/v1/audit-events");
  const { actor, resource_type, resource_id } = (await ask<Line>(`/v1/audit-events/${newest}`, { key })).body;
  await newestId(key, `/v1/audit-events?${new URLSearchParams({ resource_type, resource_id })}`);
  const audit_event_id = await newestId(key, `/v1/audit-events?${new URLSearchParams({ actor })}`);
  return { request_log_id, audit_event_id };
}

type Line = Readonly<Record<"actor" | "resource_type" | "resource_id", string>>;

interface List {
  readonly items: readonly { readonly id: string }[];
}

/** The id of a list's first item, once there is one: indexes are eventually consistent. */
async function newestId(key: string, path: string): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    id = (await ask<List>(path, { key })).body.items[0]?.id;
    return id !== undefined;
  });
  if (id === undefined) throw new Error(`${path} stayed empty`);
  return id;
}

export async function connectionOf(key: string, machineId: string): Promise<string> {
  return await newestId(key, `/v1/connections?machine_id=${machineId}`);
}

export async function desktopTokenOf(key: string): Promise<string> {
  const body = { remotePeerId: "peer" };
  return (await ask<{ desktopToken: string }>("/api/driver/connection-token", { key, body })).body
    .desktopToken;
}

/** Makes the machine unavailable, so that runs keep waiting and a test knows their state. */
export async function keepFromRuns(key: string, machineId: string): Promise<void> {
  const body = { is_available: false };
  expect((await ask(`/v1/machines/${machineId}`, { method: "PATCH", key, body })).status).toBe(200);
}
