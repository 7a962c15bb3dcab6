import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { startStack } from "../../../infra/local/stack.ts";
import { ownScopes } from "../../../shared/vocabulary/access.ts";
import { smallDesk } from "../execution/plain-recording.ts";
import { FakePeer } from "../fake-peer/fake-peer.ts";
import { startProvider } from "../providers/start-provider.ts";
import { askApi } from "../stack/ask-api.ts";
import { startSimulatedDriver } from "../stack/simulated-driver.ts";
import { until } from "../stack/until.ts";
import { CallMeter, type MeteredCall } from "./call-meter.ts";

/** Something that a caller waits for. */
export interface HotPath {
  /** Resolves once the caller has what it waits for. */
  readonly act: () => Promise<unknown>;
  /** Done before, and the calls of both are subtracted from each other: a step is what a longer run takes more. */
  readonly without?: () => Promise<unknown>;
  /** Whether the caller waits for it, of the calls until then. */
  readonly isAwaited: (call: MeteredCall) => boolean;
  /** @default every call */
  readonly isCounted?: (call: MeteredCall) => boolean;
  /** Cleans up, uncounted. */
  readonly undo?: () => Promise<unknown>;
}

const quietMs = 300;
const aMachine = () => ({ fingerprint: randomUUID() });
const isOf =
  (...names: readonly string[]) =>
  ({ functionName }: MeteredCall) =>
    names.includes(functionName);
/** After it has put a large response into the mailbox, `tunnel` ends the call on record, for which no caller waits. */
const isOfCall = (call: MeteredCall): boolean =>
  isOf("computer")(call) || (isOf("tunnel")(call) && call.hasAnswer === true);

/** A local stack with a desktop and a model, whose calls to AWS are metered. */
export async function openHotPaths() {
  const meter = new CallMeter();
  const provider = await startProvider("anthropic", ({ turns, task }) => [
    turns < Number(/\d+/.exec(task)?.[0])
      ? { call: "scroll", args: { x: 10, y: 10, direction: "down", amount: 1 } }
      : { call: "finish", args: { output: "{}" } },
  ]);
  const stack = await startStack({
    port: 0,
    desktop: false,
    timers: false,
    tell: () => {},
    observe: meter.observe,
    variables: { MODEL_ENDPOINTS: JSON.stringify(provider.options.baseUrls) },
  });
  const control = async <Body>(path: string, method = "GET", body?: object): Promise<Body> =>
    await askApi<Body>({ baseUrl: stack.controlUrl, apiKey: stack.controlToken }, path, method, body);
  /** A path begins with a key of its own, which instances know for 30 s from its first call. */
  let { apiKey } = stack;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const { url: endpoint } = await control<{ url: string }>("/dynamodb");
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  const { TableNames: [tableName = ""] = [] } = await client.send(new ListTablesCommand());
  // Small pictures are encoded fast, so that a call beside one overlaps it on a busy machine, too.
  const driver = startSimulatedDriver(stack.websocketUrl, stack.apiKey, smallDesk);
  const { machineId } = await driver.connected();
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  meter.start({ client, tableName });

  const ask = async <Body = { readonly id: string }>(path: string, method?: string, body?: object) =>
    await askApi<Body>({ baseUrl: stack.baseUrl, apiKey }, path, method, body);
  const made = async (path: string, body: object): Promise<string> => (await ask(path, "POST", body)).id;
  const begun = async (workflow_id: string, event: string): Promise<string> => {
    const id = await made("/v1/runs", { workflow_id });
    await until(async () => {
      const { items } = await control<{ items: readonly { detailType: string }[] }>("/aws/events");
      return items.some((each) => each.detailType === event && JSON.stringify(each).includes(id));
    });
    return id;
  };
  const recorded = async (steps: number): Promise<string> => {
    const workflow_id = await made("/v1/workflows", { main_prompt: "Scroll.", replay: "only" });
    const element = { action: { type: "scroll", direction: "down", amount: 1 } };
    const trajectory_data = [...Array(steps).fill(element), { action: { type: "finish" } }];
    const id = await made("/v1/trajectories", { workflow_id, is_approved: true, trajectory_data });
    await ask(`/v1/trajectories/${id}`, "PATCH", { is_main: true });
    return workflow_id;
  };
  if (provider.key.authType !== "api_key") throw new Error("the stand-in has another key");
  const credential = { auth_type: "api_key", api_key: provider.key.apiKey };
  await ask("/v1/provider-credentials/anthropic", "PUT", credential);
  const model = { name: "the model", provider: provider.provider, model: provider.model };
  const model_configuration_id = await made("/v1/model-configurations", model);
  const decided = async (steps: number): Promise<string> =>
    await made("/v1/workflows", {
      main_prompt: `Scroll ${steps} times.`,
      replay: "never",
      model_configuration_id,
    });
  const [two, three] = [await recorded(2), await recorded(3)];
  const [twoByModel, threeByModel] = [await decided(2), await decided(3)];
  const byWorker = await made("/v1/workflows", { main_prompt: "Work.", executor: "worker" });
  const idle = await made("/v1/machines", aMachine());
  // A run is given to any idle machine, so that one that does nothing is another organization's.
  const { api_keys } = await control<{ readonly api_keys: Readonly<Record<string, string>> }>(
    "/organizations",
    "POST",
    {},
  );
  const authorization = `Bearer ${api_keys.full}`;
  const peer = await FakePeer.connect({ url: stack.websocketUrl, authorization });
  const event_types = ["machine.available", "machine.unavailable"];
  const { port } = receiver.address() as AddressInfo;
  await made("/v1/webhook-endpoints", { url: `http://127.0.0.1:${port}/`, event_types });

  const computer = `/v1/computer/${machineId}`;
  const withKey = () => ({ "idempotency-key": randomUUID() });
  const send = async (
    method: string,
    path: string,
    { body, headers }: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
  ) => {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const isExpected = response.ok || (response.status === 304 && headers?.["if-none-match"] !== undefined);
    if (!isExpected) throw new Error(`${method} ${path} returned ${response.status}`);
    await response.bytes();
    return response.headers;
  };
  const tag = (await send("GET", `${computer}/display/screenshot`)).get("etag") ?? "";
  const secret = { machine_sensitive_parameters: { pin: "a-secret" } };
  const spare = [await made("/v1/machines", aMachine()), await made("/v1/machines", aMachine())];
  const scroll = { direction: "down", amount: 1 };
  const fingerprint = randomUUID();
  let dialled: FakePeer | undefined;
  let runId = "";
  let is_available = true;
  const paths = {
    "GET machine": { act: () => ask(`/v1/machines/${machineId}`), isAwaited: isOf("machines") },
    "GET machine with a dashboard's token": {
      act: () => askApi({ baseUrl: stack.baseUrl, apiKey: stack.jwt }, `/v1/machines/${machineId}`),
      isAwaited: isOf("machines"),
    },
    "list of machines": { act: () => send("GET", "/v1/machines"), isAwaited: isOf("machines") },
    "POST machine": {
      act: () => send("POST", "/v1/machines", { body: aMachine() }),
      isAwaited: isOf("machines"),
    },
    "POST machine with a secret under an Idempotency-Key": {
      act: () => send("POST", "/v1/machines", { body: { ...aMachine(), ...secret }, headers: withKey() }),
      isAwaited: isOf("machines"),
    },
    "PATCH machine": {
      act: () => send("PATCH", `/v1/machines/${idle}`, { body: { name: "renamed" } }),
      isAwaited: isOf("machines"),
    },
    "PATCH machine under an Idempotency-Key": {
      act: () => send("PATCH", `/v1/machines/${idle}`, { body: { name: "renamed" }, headers: withKey() }),
      isAwaited: isOf("machines"),
    },
    "DELETE machine": {
      act: () => send("DELETE", `/v1/machines/${spare.pop()}`),
      isAwaited: isOf("machines"),
    },
    "PATCH machine with a secret": {
      act: () => send("PATCH", `/v1/machines/${idle}`, { body: secret }),
      isAwaited: isOf("machines"),
    },
    scroll: {
      act: () => send("POST", `${computer}/input/mouse/scroll`, { body: scroll }),
      isAwaited: isOfCall,
    },
    "scroll under an Idempotency-Key": {
      act: () => send("POST", `${computer}/input/mouse/scroll`, { body: scroll, headers: withKey() }),
      isAwaited: isOfCall,
    },
    screenshot: {
      act: () => send("GET", `${computer}/display/screenshot`),
      isAwaited: isOfCall,
    },
    "screenshot that waits in vain": {
      act: () =>
        send("GET", `${computer}/display/screenshot?wait_ms=1`, { headers: { "if-none-match": tag } }),
      isAwaited: isOfCall,
    },
    handshake: {
      act: async () => {
        const authorization = `Bearer ${apiKey}`;
        dialled = await FakePeer.connect({ url: stack.websocketUrl, authorization, fingerprint });
      },
      isAwaited: isOf("tunnel"),
      undo: async () => await dialled?.close(),
    },
    // It is the second of two, whose frames are counted: as dear as one that is noted, whose turn is by the clock.
    ping: {
      act: async () => {
        peer.messages.length = 0;
        peer.send({ type: "ping", at: Date.now() });
        await peer.next("pong");
      },
      isAwaited: isOf("tunnel"),
    },
    webhook: {
      act: async () => {
        is_available = !is_available;
        const came = once(receiver, "request");
        await ask(`/v1/machines/${idle}`, "PATCH", { is_available });
        await came;
      },
      isAwaited: isOf("machines", "projector", "webhooksender"),
    },
    "run until running": {
      act: async () => {
        runId = await begun(byWorker, "run.running");
      },
      isAwaited: isOf("runs", "matcher"),
      undo: async () => {
        const { assignment_id } = await ask<{ readonly assignment_id: string }>(`/v1/runs/${runId}`);
        await ask(`/v1/runs/${runId}`, "PATCH", { status: "success", assignment_id });
      },
    },
    "replayed step": {
      without: () => begun(two, "run.success"),
      act: () => begun(three, "run.success"),
      isAwaited: isOf("executor"),
      isCounted: isOf("executor", "tunnel", "projector"),
    },
    "model's step": {
      without: () => begun(twoByModel, "run.success"),
      act: () => begun(threeByModel, "run.success"),
      isAwaited: isOf("executor"),
      isCounted: isOf("executor", "tunnel", "projector"),
    },
  } satisfies Readonly<Record<string, HotPath>>;

  /** Waits until no function has had a request for a while, so that everything is done that the last call led to. */
  const settle = async (): Promise<void> => {
    type Functions = { readonly items: readonly { readonly environments: number; readonly idle: number }[] };
    for (let sinceMs = performance.now(); performance.now() - sinceMs < quietMs; await pause(20)) {
      const { items } = await control<Functions>("/functions");
      if (items.some(({ environments, idle }) => idle < environments)) sinceMs = performance.now();
    }
  };
  return {
    paths,
    renewKey: async (): Promise<void> => {
      const body = { organization_id: stack.organizationId, scopes: ownScopes };
      ({ api_key: apiKey } = await control<{ readonly api_key: string }>("/keys", "POST", body));
    },
    /** Calls of the work, those after it included, and the time at which it ended. */
    async metered(work: () => Promise<unknown>) {
      await settle();
      meter.take();
      await work();
      const untilMs = performance.now();
      await settle();
      return { calls: meter.take(), untilMs };
    },
    close: async () => {
      await driver.stop();
      await peer.close();
      await stack.stop();
      receiver.close();
      await provider.server.stop();
    },
  };
}
