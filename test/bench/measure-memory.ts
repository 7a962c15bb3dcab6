import { setTimeout as pause } from "node:timers/promises";
import { startCommand } from "../support/stack/start-command.ts";
import type { Figure } from "./figure.ts";
import { type Memory, memoryOf } from "./memory-of.ts";
import { sized } from "./sized.ts";

/** Longer than an idle environment lives. */
const quietMs = sized(100_000, 1_000);
const callers = sized(150, 4);
const loadMs = sized(15_000, 500);

const idleMbMax = 500;
const loadedMbMax = 1_500;
const ratioMax = 1.3;

/** Measures the memory of all processes of `npm start`: idle, under a load, and after it. */
export async function measureMemory(): Promise<readonly Figure[]> {
  const command = await startCommand([]);
  try {
    await pause(quietMs);
    const before = memoryOf(command.pid);
    const peak = await peakUnderLoad(command.pid, command.printed);
    await pause(quietMs);
    const after = memoryOf(command.pid);
    const ratio = after.pssMb / before.pssMb;
    return [
      figureOf("idle stack, proportional set size (resident)", before, idleMbMax),
      figureOf(`the same under ${callers} callers`, peak, loadedMbMax),
      {
        figure: "the same after the load ÷ before it",
        measured: ratio.toFixed(2),
        target: `at most ${ratioMax}`,
        isReached: ratio <= ratioMax,
      },
    ];
  } finally {
    await command.end("SIGTERM");
  }
}

function figureOf(figure: string, { pssMb, rssMb }: Memory, mbMax: number): Figure {
  return {
    figure,
    measured: `${pssMb.toFixed(0)} (${rssMb.toFixed(0)}) MB`,
    target: `at most ${mbMax} MB`,
    isReached: pssMb <= mbMax,
  };
}

async function peakUnderLoad(pid: number, printed: string): Promise<Memory> {
  const [, baseUrl = ""] = /^address +(\S+)/m.exec(printed) ?? [];
  const [, key = ""] = /^API key +(\S+)/m.exec(printed) ?? [];
  const paths = [
    "machines",
    "pools",
    "runs",
    "workflows",
    "trajectories",
    "webhooks",
    "api-keys",
    "request-logs",
  ];
  const until = performance.now() + loadMs;
  let isOver = false;
  const load = Array.from({ length: callers }, async (_, at) => {
    while (performance.now() < until) {
      const url = `${baseUrl}/v1/${paths[at % paths.length]}`;
      await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer();
    }
  });
  const all = Promise.all(load).finally(() => {
    isOver = true;
  });
  let peak = memoryOf(pid);
  while (!isOver) {
    await pause(250);
    const now = memoryOf(pid);
    if (now.pssMb > peak.pssMb) peak = now;
  }
  await all;
  return peak;
}
