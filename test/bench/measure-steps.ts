import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { bundleFunctions } from "../../infra/bundle.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import { staysAlive } from "./bench-alive.ts";
import { type Figure, percentile } from "./figure.ts";
import type { UsedMemory } from "./run-steps.ts";
import { sized } from "./sized.ts";

const execute = promisify(execFile);
const steps = sized(500, 5);
const callsMax = 12;
const memoryMbMax = 300;
const program = fileURLToPath(new URL("run-steps.ts", import.meta.url));

/** Measures the calls per step of a long run, and the memory of its process, on the model of DynamoDB. */
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

/**
 * Measures the memory of the loaded bundle and that added by a run. The latter is measured in a process that also has
 * the demo desk, its driver, the tables and the stored pictures, so the function itself uses less.
 */
async function memoryFigure(): Promise<Figure> {
  const { stdout } = await execute(process.execPath, [program, String(steps)]);
  const { rssBefore, rss, heap } = JSON.parse(stdout) as UsedMemory;
  const loaded = await loadedBytes();
  const added = rss - rssBefore;
  return {
    figure: `peak memory of ${steps} replayed steps on 1280 x 800: loaded bundle + added by the run, desk, tables and pictures in it (heap and buffers)`,
    measured: `${megabytes(loaded)} + ${megabytes(added)} = ${megabytes(loaded + added)} (${megabytes(heap)})`,
    target: `at most ${memoryMbMax} MB`,
    isReached: loaded + added <= memoryMbMax * 1_048_576,
  };
}

async function loadedBytes(): Promise<number> {
  const outDir = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const source = fileURLToPath(new URL("../../functions/executor/index.ts", import.meta.url));
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { executor: source } });
    const code = "require(process.argv[1]); process.stdout.write(String(process.memoryUsage.rss()))";
    const { stdout } = await execute(process.execPath, ["-e", code, bundle?.file ?? ""], {
      env: functionEnvironment,
    });
    return Number(stdout);
  } finally {
    await rm(outDir, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}

/** Splits the calls after each step's checkpoint. */
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
