import type { CallRecord, CallsSnapshot } from "../../infra/local/aws/calls.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const warmUp = sized(5, 1);
const rounds = sized(60, 2);
const medianMsMax = 65;
const p95MsMax = 105;
/** Pause between two runs, in which the effects of the last one's end are over. */
const restMs = 400;

interface Part {
  /** Time from the run's created_at until a caller that polls every 20 ms sees it running. */
  readonly waitedMs: number;
  /** Time from created_at to the table's receipt of the transaction that creates the run. */
  readonly madeMs: number;
  /** Time from that transaction to the matcher's first call: the stream, its polling, the hand-over. */
  readonly streamMs: number;
  /** Time from that call to started_at: queues, the run, and the entities that belong to it. */
  readonly lookedMs: number;
  /** Time from started_at to the caller's response: the assignment, and the polling. */
  readonly seenMs: number;
}

/** Runs one after the other on a local stack with one idle machine: how long each waits, and for what. */
export async function measureDispatch(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const driver = startSimulatedDriver(stack.websocketUrl, stack.apiKey);
  try {
    await driver.connected();
    const api = apiOf(stack);
    const workflow = await api.ask<{ id: string }>("/v1/workflows", "POST", {
      main_prompt: "Open the shop.",
      executor: "worker",
    });
    const parts: Part[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const part = await dispatchOne(api, workflow.id);
      if (round >= warmUp) parts.push(part);
    }
    return figuresOf(parts);
  } finally {
    await driver.stop();
    await stack.stop();
  }
}

type Api = ReturnType<typeof apiOf>;

function apiOf(stack: SpawnedStack) {
  const { controlUrl, controlToken } = stack;
  const headers = { authorization: `Bearer ${controlToken}` };
  return {
    ask: <Body>(path: string, method = "GET", body?: object) => askApi<Body>(stack, path, method, body),
    forgetCalls: async () => void (await fetch(`${controlUrl}/aws/calls`, { method: "DELETE", headers })),
    calls: async () =>
      ((await (await fetch(`${controlUrl}/aws/calls`, { headers })).json()) as CallsSnapshot).recent,
  };
}

interface RunTimes {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly assignment_id: string | null;
}

async function dispatchOne(api: Api, workflow_id: string): Promise<Part> {
  await new Promise((resolve) => setTimeout(resolve, restMs + Math.random() * 100));
  await api.forgetCalls();
  const { id } = await api.ask<RunTimes>("/v1/runs", "POST", { workflow_id });
  let run: RunTimes;
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
    run = await api.ask<RunTimes>(`/v1/runs/${id}`);
  } while (run.status === "scheduling");
  const seenAtMs = Date.now();
  const calls = await api.calls();
  await api.ask(`/v1/runs/${id}`, "PATCH", { status: "success", assignment_id: run.assignment_id });
  const [createdMs, startedMs] = [Date.parse(run.created_at), Date.parse(run.started_at ?? "")];
  const madeAtMs = timeOf(calls, "runs", "TransactWriteItems");
  const foundAtMs = timeOf(calls, "matcher", "Query");
  return {
    waitedMs: seenAtMs - createdMs,
    madeMs: madeAtMs - createdMs,
    streamMs: foundAtMs - madeAtMs,
    lookedMs: startedMs - foundAtMs,
    seenMs: seenAtMs - startedMs,
  };
}

/** Time of the function's first call of the operation, in ms since the epoch. */
function timeOf(calls: readonly CallRecord[], functionName: string, operation: string): number {
  const moments = calls
    .filter((call) => call.functionName === functionName && call.operation === operation)
    .map(({ at }) => Date.parse(at));
  if (moments.length === 0) throw new Error(`${functionName} did not call ${operation}`);
  return Math.min(...moments);
}

function figuresOf(parts: readonly Part[]): readonly Figure[] {
  const of = (name: keyof Part) => milliseconds(median(parts.map((part) => part[name])));
  const waited = parts.map(({ waitedMs }) => waitedMs);
  const [middle, late] = [median(waited), percentile(waited, 95)];
  return [
    {
      figure: `creation of a run to running, idle machine, local stack, p50 of ${rounds} (p95)`,
      measured: `${milliseconds(middle)} (${milliseconds(late)})`,
      target: `at most ${medianMsMax} ms (${p95MsMax} ms)`,
      isReached: middle <= medianMsMax && late <= p95MsMax,
    },
    {
      figure:
        "of it, medians: until it is written / the stream and its polling / the matcher's reads / its assignment, and the polling",
      measured: `${of("madeMs")} / ${of("streamMs")} / ${of("lookedMs")} / ${of("seenMs")}`,
      target: "",
    },
  ];
}
