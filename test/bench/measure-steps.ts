import { executionWorld } from "../support/execution/execution-world.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import { staysAlive } from "./bench-alive.ts";
import { type Figure, percentile } from "./figure.ts";

const steps = 500;
const callsMax = 12;

/** What a step of a long run calls, and what the process has used at its end, on the model of DynamoDB. */
export async function measureSteps(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const options = { desk: smallDesk, secrets: {}, workflow: { maxSteps: 2 * steps } };
    const world = await executionWorld({ recording: scrolls(steps), ...options });
    const before = memoryMb();
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
      {
        figure: `memory before and after ${steps} steps in ${world.started.length + 1} parts; desk, tables and pictures are in it`,
        ...{ measured: `${before} MB, ${memoryMb()} MB`, target: "" },
      },
    ];
  });
}

function memoryMb(): string {
  return (process.resourceUsage().maxRSS / 1_024).toFixed(0);
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
