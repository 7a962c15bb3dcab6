import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { executionWorld } from "../support/execution/execution-world.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import { staysAlive } from "./bench-alive.ts";
import { type Figure, percentile } from "./figure.ts";
import type { UsedMemory } from "./run-steps.ts";

const steps = 500;
const callsMax = 12;
const memoryMbMax = 300;
const program = fileURLToPath(new URL("run-steps.ts", import.meta.url));

/** What a step of a long run calls, and what a process has used for it, on the model of DynamoDB. */
export async function measureSteps(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const options = { desk: smallDesk, secrets: {}, workflow: { maxSteps: 2 * steps } };
    const world = await executionWorld({ recording: scrolls(steps), ...options });
    await world.executeAll();
    const run = await world.find();
    if (run?.status !== "success") throw new Error(`the run ended as ${run?.errorCode}`);
    const ofSteps = callsOfSteps(
      world.kills.points.filter(({ when }) => when === "before").map(({ name }) => name),
    );
    const counts = ofSteps.map((calls) => calls.length);
    const typical = ofSteps[1] ?? [];
    const most = Math.max(...counts);
    return [
      {
        figure: `calls of a step, its tunnel's and its polls beside: p50, most of ${steps} (a part's first reads its state)`,
        measured: `${percentile(counts, 50)}, ${most}: ${counted(typical)}`,
        target: `at most ${callsMax}`,
        isReached: most <= callsMax,
      },
      await memoryFigure(),
    ];
  });
}

/** In a process of its own, with the demo desk, its driver, the tables and the stored pictures in it. */
async function memoryFigure(): Promise<Figure> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(steps)]);
  const { rssBefore, rss, heap } = JSON.parse(stdout) as UsedMemory;
  return {
    figure: `peak memory of ${steps} replayed steps on 1280 x 800, desk, tables and pictures in it: before, resident, heap and buffers`,
    measured: [rssBefore, rss, heap].map(megabytes).join(", "),
    ...{ target: `at most ${memoryMbMax} MB`, isReached: rss <= memoryMbMax * 1_048_576 },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}

/** Cut behind each step's checkpoint. */
function callsOfSteps(names: readonly string[]): readonly (readonly string[])[] {
  const cut: string[][] = [];
  let calls: string[] = [];
  for (const name of names) {
    calls.push(name.replace(/ \d+$/, ""));
    if (!name.startsWith("checkpoint")) continue;
    if (name.startsWith("checkpoint step")) cut.push(calls);
    calls = [];
  }
  return cut;
}

function counted(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} ${name}`).join(", ");
}
