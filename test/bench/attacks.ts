import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import type { RequestMessage } from "../../shared/contract/tunnel.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { chunk } from "../support/pictures/a-png.ts";
import { askApi } from "../support/stack/ask-api.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { sized } from "./sized.ts";

/** A stack, with the key of the organization that attacks, whose requests end with the signal. */
interface Target extends Pick<SpawnedStack, "baseUrl" | "websocketUrl" | "apiKey"> {
  readonly signal: AbortSignal;
}

export interface Attack {
  readonly name: string;
  /** Prepares what is then repeated until the signal; ends what it has opened. */
  readonly run: (target: Target, begun: () => void) => Promise<void>;
}

const clients = sized(10, 2);
const picture = sized({ width: 5_000, height: 4_700 }, { width: 50, height: 47 });
const pictures = 10;
const bulkRuns = sized(50, 2);
const endpoints = sized(10, 1);
/** An organization writes five secrets a second, of which an endpoint has one. */
const endpointPauseMs = 250;
const slowMs = sized(10_000, 200);
const pingsPerSecond = sized(10_000, 1_000);
const floodMs = sized(5_000, 500);
const desktops = sized(50, 2);
const callsOfDesktop = 4;
const malformedEntries = sized(60_000, 6_000);

/** Times from the first ping of each flood of this thread until its socket was closed. */
export const closedAfterMs: number[] = [];

export const attacks: readonly Attack[] = [
  {
    name: `${clients} clients with pictures of ${picture.width} x ${picture.height}`,
    run: async (target, begun) => {
      const { id: workflow_id } = await askApi<{ id: string }>(target, "/v1/workflows", "POST", {
        main_prompt: "Open the shop.",
      });
      const png = hugePicture().toString("base64");
      const anchor = { x: 0, y: 0, width: 320, height: 160, png };
      const element = { action: { type: "click", x: 1, y: 2, target: "the shop" }, anchor };
      const body = JSON.stringify({
        workflow_id,
        name: "attack",
        is_approved: true,
        dimensions: { width: 1_280, height: 800 },
        trajectory_data: Array(pictures).fill(element),
      });
      begun();
      await repeated(clients, target.signal, () => send(target, "POST", "/v1/trajectories", body));
    },
  },
  {
    name: `a bulk of ${bulkRuns} runs over ${endpoints} webhooks to a slow receiver`,
    run: async (target, begun) => {
      const receiver = await slowServer(204);
      try {
        for (let at = 0; at < endpoints; at += 1) {
          const url = `${receiver.url}/${at}`;
          const event_types = ["run.created", "run.complete"];
          await askApi(target, "/v1/webhook-endpoints", "POST", { url, event_types });
          await pause(endpointPauseMs);
        }
        const { id: workflow_id } = await askApi<{ id: string }>(target, "/v1/workflows", "POST", {
          main_prompt: "Open the shop.",
          executor: "worker",
        });
        const body = JSON.stringify({ workflow_id, count: bulkRuns });
        await send(target, "POST", "/v1/runs/bulk", body);
        begun();
        await untilAborted(target.signal);
      } finally {
        await receiver.close();
      }
    },
  },
  {
    name: `${pingsPerSecond} pings a second for ${floodMs / 1_000} s`,
    run: async (target, begun) => {
      begun();
      const until = performance.now() + floodMs;
      while (!target.signal.aborted && performance.now() < until) {
        // It comes back at once, unlike a driver.
        const peer = await FakePeer.connect(credentials(target)).catch(() => undefined);
        if (peer) await flood(peer, until);
        await pause(100);
      }
      await untilAborted(target.signal);
    },
  },
  {
    name: `${desktops * callsOfDesktop} calls under way to mute desktops`,
    run: async (target, begun) => {
      const mute: Awaited<ReturnType<typeof connect>>[] = [];
      for (let count = 0; count < desktops; count += 1) mute.push(await connect(target));
      const callAll = async () => {
        const asked = mute.flatMap(({ machineId }) => Array<string>(callsOfDesktop).fill(machineId));
        await Promise.all(
          asked.map((machineId) => send(target, "GET", `/v1/computer/${machineId}/display/dimensions`)),
        );
      };
      // This warms as many instances as will wait: only here they start on the processors of all.
      await callAll();
      for (const { peer } of mute) peer.stayMute();
      const calls = callAll();
      begun();
      await untilAborted(target.signal);
      for (const { peer } of mute) await peer.close();
      await calls;
    },
  },
  {
    name: `${clients} clients that list ${malformedEntries} malformed entries`,
    run: async (target, begun) => {
      const { peer, machineId } = await connect(target);
      const body = JSON.stringify({ path: "/", items: Array(malformedEntries).fill({ name: 1 }) });
      peer.onRequest((request) => void upload(peer, request, body));
      begun();
      await repeated(clients, target.signal, () =>
        send(target, "GET", `/v1/computer/${machineId}/fs/list?path=/`),
      );
      await peer.close();
    },
  },
];

/**
 * Asks the service for nothing. On AWS an attacker has machines of its own, but here it computes on the stack's own
 * processors: an attack that costs others no more than this one takes processors, and nothing else of the service.
 */
const processorsAttack: Attack = {
  name: "threads of others that only compute, as many as processors",
  run: async (target, begun) => {
    const busy = Array.from(
      { length: availableParallelism() },
      () => new Worker("for (;;);", { eval: true }),
    );
    begun();
    await untilAborted(target.signal);
    await Promise.all(busy.map((worker) => worker.terminate()));
  },
};

/** Guesses a provider's keys; the stack must know the provider by an address of this machine. */
const validateAttack: Attack = {
  name: `${clients} clients that try out guessed keys of a provider`,
  run: async (target, begun) => {
    begun();
    await repeated(clients, target.signal, async () => {
      const body = JSON.stringify({ auth_type: "api_key", api_key: `guess-${crypto.randomUUID()}` });
      await send(target, "PUT", "/v1/provider-credentials/openai", body);
      await send(target, "POST", "/v1/provider-credentials/openai/validate");
    });
  },
};

/** Measures nothing but what measuring itself costs. */
export const noAttack: Attack = {
  name: "nothing",
  run: async (target, begun) => {
    begun();
    await untilAborted(target.signal);
  },
};

export const everyAttack: readonly Attack[] = [noAttack, processorsAttack, ...attacks, validateAttack];

/** Answers each request after some time with that status. */
export async function slowServer(status: number) {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(status).end(), slowMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function flood(peer: FakePeer, until: number): Promise<void> {
  const startedMs = performance.now();
  const tickMs = 10;
  while (peer.isOpen && performance.now() < until) {
    for (let sent = 0; sent < (pingsPerSecond * tickMs) / 1_000; sent += 1)
      peer.send({ type: "ping", at: 1 });
    await pause(tickMs);
  }
  closedAfterMs.push(performance.now() - startedMs);
  await peer.close();
}

function credentials({ websocketUrl, apiKey }: Target) {
  return { url: websocketUrl, authorization: `Bearer ${apiKey}` };
}

async function connect(target: Target) {
  const dialled = await FakePeer.dial(credentials(target));
  if (dialled.kind === "refused") throw new Error(`a handshake was answered ${dialled.status}`);
  return { peer: dialled.peer, machineId: await dialled.peer.sayHello() };
}

async function upload(peer: FakePeer, request: RequestMessage, body: string): Promise<void> {
  if (request.upload === undefined) return;
  const type = { "content-type": "application/json" };
  const { url, headers } = request.upload;
  await fetch(url, { method: "PUT", headers: { ...type, ...headers }, body }).catch(() => undefined);
  if (!peer.isOpen) return;
  const { id, reply_to } = request;
  const headersOfAnswer = { ...type, "content-length": String(Buffer.byteLength(body)) };
  peer.send({
    type: "response",
    id,
    reply_to,
    status: 200,
    headers: headersOfAnswer,
    part: 0,
    parts: 1,
    uploaded: true,
  });
}

/** Sends a request and returns its status, 0 when there was no response. */
async function send(
  { baseUrl, apiKey, signal }: Target,
  method: string,
  path: string,
  body?: string,
): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    signal,
    ...(body !== undefined && { body }),
  }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.status ?? 0;
}

/** Clients that send one request after another; one that is refused at once waits a moment. */
async function repeated(count: number, signal: AbortSignal, one: () => Promise<unknown>): Promise<void> {
  const client = async () => {
    while (!signal.aborted) {
      await one();
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: count }, client));
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** A PNG whose 16 bits of three colours are all zero: 141 MB in 137 KB. */
function hugePicture(): Buffer {
  const { width, height } = picture;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, 2], 8);
  const rows = deflateSync(Buffer.alloc(height * (1 + 6 * width)), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
