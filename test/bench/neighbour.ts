import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { askApi } from "../support/stack/ask-api.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";

/** What takes longer counts as refused. */
const patienceMs = 30_000;
const pollMs = 50;

/** One sample of each kind of request, and how many requests were not answered as they should be. */
export interface Asked {
  readonly getMs: number;
  /** Time from the request for a run until it begins on the connected machine. */
  readonly runMs: number;
  /** Time from a change of a machine until its webhook arrives. */
  readonly webhookMs: number;
  readonly refused: number;
}

export interface Neighbour {
  ask(): Promise<Asked>;
  close(): Promise<void>;
}

interface RunSeen {
  readonly id: string;
  readonly status: string;
  readonly assignment_id: string | null;
}

/** An organization with a desktop, a workflow of its own worker, and a webhook, that does what customers do. */
export async function createNeighbour(
  stack: Pick<SpawnedStack, "baseUrl" | "websocketUrl" | "apiKey">,
): Promise<Neighbour> {
  const ask = <Body>(path: string, method = "GET", body?: object) => askApi<Body>(stack, path, method, body);
  let arrived: () => void = () => undefined;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    arrived();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const event_types = ["machine.available", "machine.unavailable"];
  await ask("/v1/webhook-endpoints", "POST", { url, event_types });
  const { id: machineId } = await ask<{ id: string }>("/v1/machines", "POST", { fingerprint: randomUUID() });
  const { id: workflow_id } = await ask<{ id: string }>("/v1/workflows", "POST", {
    main_prompt: "Open the shop.",
    executor: "worker",
  });
  const dialled = await FakePeer.dial({
    url: stack.websocketUrl,
    authorization: `Bearer ${stack.apiKey}`,
  });
  if (dialled.kind === "refused") throw new Error(`the handshake was answered ${dialled.status}`);
  const { peer } = dialled;
  const machine_id = await peer.sayHello();
  let isAvailable = true;

  const kinds = {
    getMs: async () => void (await ask(`/v1/machines/${machineId}`)),
    runMs: async () => {
      const until = performance.now() + patienceMs;
      let run = await ask<RunSeen>("/v1/runs", "POST", { workflow_id, machine_id });
      while (run.status !== "running") {
        if (performance.now() > until) throw new Error("the run did not begin");
        await pause(pollMs);
        run = await ask<RunSeen>(`/v1/runs/${run.id}`);
      }
      const { assignment_id } = run;
      return async () => await ask(`/v1/runs/${run.id}`, "PATCH", { status: "success", assignment_id });
    },
    webhookMs: async () => {
      isAvailable = !isAvailable;
      const came = new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("no webhook came")), patienceMs);
        arrived = () => {
          clearTimeout(late);
          resolve();
        };
      });
      await Promise.all([came, ask(`/v1/machines/${machineId}`, "PATCH", { is_available: isAvailable })]);
    },
  };

  return {
    ask: async () => {
      const measured = { getMs: 0, runMs: 0, webhookMs: 0, refused: 0 };
      for (const kind of ["getMs", "runMs", "webhookMs"] as const) {
        const from = performance.now();
        try {
          const end = await kinds[kind]();
          measured[kind] = performance.now() - from;
          await end?.();
        } catch (error) {
          console.error(`another organization's ${kind}: ${(error as Error).message.slice(0, 300)}`);
          measured.refused += 1;
          measured[kind] = performance.now() - from;
        }
      }
      return measured;
    },
    close: async () => {
      await peer.close();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
