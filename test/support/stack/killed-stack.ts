import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FakePeer } from "../fake-peer/fake-peer.ts";
import { aPng } from "../pictures/a-png.ts";
import { askApi } from "./ask-api.ts";
import { type SpawnedStack, spawnStack } from "./spawn-stack.ts";

/** Actions of each run; the third is followed by a wait in which no invocation runs. */
const scrolls = 6;
const actions = Array.from({ length: scrolls }, (_, at) => [
  { type: "scroll", direction: "down", amount: 1 },
  { type: "wait", seconds: at === 2 ? 5 : 1 },
]).flat();

const endedWithinMs = 180_000;

interface KilledRun {
  readonly status: string;
  readonly error: readonly string[];
  readonly done: number;
}

export interface KilledRuns {
  readonly runs: readonly KilledRun[];
  readonly actions: number;
  /** Time from the second start of the stack to the last run's end, in seconds. */
  readonly seconds: number;
}

interface Begun {
  readonly id: string;
  readonly desk: Desk;
}

class Desk {
  readonly #known = new Set<string>();
  #peer: FakePeer | undefined;

  get done(): number {
    return this.#known.size;
  }

  async connect(websocketUrl: string, key: string): Promise<string> {
    const fingerprint = this.#peer?.fingerprint;
    const dialled = await FakePeer.dial({ url: websocketUrl, authorization: `Bearer ${key}`, fingerprint });
    if (dialled.kind === "refused") throw new Error(`the handshake was answered ${dialled.status}`);
    const { peer } = dialled;
    this.#peer = peer;
    peer.onRequest((request) => {
      if (request.path === "/computer/display/screenshot") return peer.answer(request, screen);
      if (request.repeat && !this.#known.has(request.action_id)) return peer.answer(request, unknown, 409);
      this.#known.add(request.action_id);
      return peer.answer(request, batch);
    });
    return await peer.sayHello({ capabilities: ["computer/batch"] });
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }
}

const screen = aPng({ width: 8, height: 8, bytes: Array.from({ length: 192 }, () => 200) });
const batch = Buffer.from(JSON.stringify({ results: [{ status: "done" }], screenshot: null }));
const unknown = Buffer.from(JSON.stringify({ error: "not known here", code: "unknown_action" }));

export async function runsThroughKill(count: number): Promise<KilledRuns> {
  const dataDir = await mkdtemp(join(tmpdir(), "killed-stack-"));
  const options = { dataDir, desktop: false } as const;
  const desks = Array.from({ length: count }, () => new Desk());
  let stack = await spawnStack(options);
  try {
    const asked = { name: "desktops", scopes: ["driver"] };
    const { api_key: key } = await askApi<{ api_key: string }>(stack, "/v1/api-keys", "POST", asked);
    const begun = await beginRuns(stack, key, desks);
    await eachRun(begun, async ({ id }) => (await stepsOf(stack, id)) >= 2);
    const port = Number(new URL(stack.baseUrl).port);
    await stack.kill();
    const startedAtMs = Date.now();
    stack = await spawnStack({ ...options, port });
    const { websocketUrl } = stack;
    await Promise.all(desks.map((desk) => desk.connect(websocketUrl, key)));
    await eachRun(begun, async ({ id }) => !isUnderWay(await readRun(stack, id)));
    const seconds = (Date.now() - startedAtMs) / 1_000;
    const runs = await Promise.all(
      begun.map(async ({ id, desk }) => ({ ...(await readRun(stack, id)), done: desk.done })),
    );
    return { runs, actions: scrolls, seconds };
  } finally {
    await Promise.all(desks.map((desk) => desk.close()));
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function beginRuns(
  stack: SpawnedStack,
  key: string,
  desks: readonly Desk[],
): Promise<readonly Begun[]> {
  const workflow = { main_prompt: "Do what was recorded.", replay: "only" };
  const { id: workflow_id } = await askApi<{ id: string }>(stack, "/v1/workflows", "POST", workflow);
  const { id: trajectory } = await askApi<{ id: string }>(stack, "/v1/trajectories", "POST", {
    workflow_id,
    is_approved: true,
    trajectory_data: actions.map((action) => ({ action })),
  });
  await askApi(stack, `/v1/trajectories/${trajectory}`, "PATCH", { is_main: true });
  return await Promise.all(
    desks.map(async (desk) => {
      const machine_id = await desk.connect(stack.websocketUrl, key);
      const { id } = await askApi<{ id: string }>(stack, "/v1/runs", "POST", { workflow_id, machine_id });
      return { id, desk };
    }),
  );
}

async function eachRun(begun: readonly Begun[], isSo: (run: Begun) => Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + endedWithinMs;
  while (!(await Promise.all(begun.map(isSo))).every(Boolean)) {
    if (Date.now() > untilMs) return;
    await pause(500);
  }
}

type ShownRun = Pick<KilledRun, "status" | "error">;

async function readRun(stack: SpawnedStack, id: string): Promise<ShownRun> {
  const { status, error } = await askApi<ShownRun>(stack, `/v1/runs/${id}`);
  return { status, error };
}

function isUnderWay({ status }: ShownRun): boolean {
  return status === "scheduling" || status === "running";
}

async function stepsOf(stack: SpawnedStack, id: string): Promise<number> {
  return (await askApi<{ readonly total: number }>(stack, `/v1/runs/${id}/steps`)).total;
}
