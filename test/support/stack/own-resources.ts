import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { ask, askAgain } from "./stack-client.ts";
import { until } from "./until.ts";

/** A GIF of one pixel. */
export const aGif = {
  filename: "dot.gif",
  content: "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==",
};

/** Resources that refer to no other: their paths and bodies, by the names of the paths' parameters. */
const plainResources = {
  pool_id: ["/v1/pools", () => ({ name: randomUUID() })],
  tag_id: ["/v1/workflow-tags", () => ({ name: randomUUID() })],
  group_id: ["/v1/workflow-tag-groups", () => ({ name: randomUUID() })],
  model_configuration_id: [
    "/v1/model-configurations",
    () => ({ name: randomUUID(), provider: "openai", model: "a-model" }),
  ],
  api_key_id: ["/v1/api-keys", () => ({ name: "made", scopes: ["read"] })],
  image_id: ["/v1/workflows/prompt-images", () => aGif],
} as const satisfies Readonly<Record<string, readonly [path: string, body: () => object]>>;

type PlainResources = Readonly<Record<keyof typeof plainResources, string>>;

/** Ids of an organization's resources, by the names of the paths' parameters. */
export interface OwnResources extends PlainResources {
  readonly run_id: string;
  readonly attachment_id: string;
  readonly trajectory_id: string;
  readonly workflow_id: string;
  readonly endpoint_id: string;
  /** A delivery to the endpoint. */
  readonly delivery_id: string;
  /** The run's session. */
  readonly session_id: string;
}

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

/** Creates one of each resource that refers to no other. */
export async function createPlainResources(key: string): Promise<PlainResources> {
  const ids = Object.entries(plainResources).map(
    async ([name, [path, body]]) => [name, await made(key, path, body())] as const,
  );
  return Object.fromEntries(await Promise.all(ids)) as PlainResources;
}

/** Creates one of each resource that needs no machine; the workflow names a model configuration of its own. */
export async function createOwnResources(key: string): Promise<OwnResources> {
  const [named, plain] = await Promise.all([
    made(key, "/v1/model-configurations", plainResources.model_configuration_id[1]()),
    createPlainResources(key),
  ]);
  const workflow_id = await made(key, "/v1/workflows", {
    main_prompt: "Open the shop.",
    executor: "worker",
    model_configuration_id: named,
  });
  const [run, trajectory_id] = await Promise.all([
    answered(key, "/v1/runs", { workflow_id, start_session: true }),
    made(key, "/v1/trajectories", { workflow_id, trajectory_data: [{ action: "click" }] }),
  ]);
  const [run_id, session_id] = [String(run.id), String(run.session_id)];
  const attachment_id = await made(key, "/v1/run-attachments", {
    run_id,
    attachment_type: "output",
    filename: "a.txt",
    content: "YWJj",
    content_type: "text/plain",
  });
  return {
    ...plain,
    ...(await ownWebhook(key)),
    run_id,
    attachment_id,
    trajectory_id,
    workflow_id,
    session_id,
  };
}

/** Creates an endpoint of the organization, which may have ten, with a delivery to it. */
export async function ownWebhook(key: string): Promise<Pick<OwnResources, "endpoint_id" | "delivery_id">> {
  type List = { readonly items: readonly { readonly id: string }[] };
  const firstOf = async (path: string) => (await ask<List>(path, { key })).body.items[0]?.id;
  const body = { url: await receiverUrl(), event_types: ["machine.created"] };
  const endpoint_id =
    (await firstOf("/v1/webhook-endpoints")) ?? (await made(key, "/v1/webhook-endpoints", body));
  const deliveries = `/v1/webhook-endpoints/${endpoint_id}/deliveries`;
  if ((await firstOf(deliveries)) === undefined) {
    await made(key, "/v1/machines", { fingerprint: randomUUID() });
  }
  let delivery_id: string | undefined;
  await until(async () => {
    delivery_id = await firstOf(deliveries);
    return delivery_id !== undefined;
  });
  return { endpoint_id, delivery_id: delivery_id ?? "" };
}

let receiver: Promise<string> | undefined;

/** URL of an endpoint on this machine that accepts everything as long as this process lasts. */
export function receiverUrl(): Promise<string> {
  receiver ??= (async () => {
    const server = createServer((incoming, response) => {
      incoming.resume();
      response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    server.unref();
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  })();
  return receiver;
}

/** Ids of an organization's newest log lines; the function calls the machine, which is connected, to have one. */
export async function lineIdsOf(key: string, machineId: string) {
  expect((await ask(`/v1/computer/${machineId}/display/dimensions`, { key })).status).toBe(200);
  const newest = async (path: string) => {
    let ids: readonly string[] = [];
    await until(async () => {
      const list = await ask<{ items: { id: string }[] }>(path, { key });
      ids = list.body.items.map(({ id }) => id);
      return ids.length > 0;
    });
    return ids[0] ?? "";
  };
  const request_log_id = await newest(`/v1/request-logs?machine_id=${machineId}`);
  return { request_log_id, audit_event_id: await newest("/v1/audit-events") };
}

/** Makes the machine unavailable, so that runs keep waiting and a test knows their state. */
export async function keepFromRuns(key: string, machineId: string): Promise<void> {
  const body = { is_available: false };
  expect((await ask(`/v1/machines/${machineId}`, { method: "PATCH", key, body })).status).toBe(200);
}
