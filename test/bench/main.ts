import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { amountsOf, numberOf } from "./amounts.ts";
import { compare } from "./compare.ts";
import type { Figure, Measurement } from "./figure.ts";
import { measureAnchors } from "./measure-anchors.ts";
import { measureAttacks } from "./measure-attacks.ts";
import { measureBundles } from "./measure-bundles.ts";
import { measureCli } from "./measure-cli.ts";
import { measureConsole } from "./measure-console.ts";
import { measureCrashes } from "./measure-crashes.ts";
import { measureCrowd } from "./measure-crowd.ts";
import { measureDemo } from "./measure-demo.ts";
import { measureDesktop } from "./measure-desktop.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { measureDocs } from "./measure-docs.ts";
import { measureExecutions } from "./measure-executions.ts";
import { measureFleet } from "./measure-fleet.ts";
import { measureForms } from "./measure-forms.ts";
import { measureHandler } from "./measure-handler.ts";
import { measureLists } from "./measure-lists.ts";
import { measureLive } from "./measure-live.ts";
import { measureMachines } from "./measure-machines.ts";
import { measureMatching } from "./measure-matching.ts";
import { measureMcp } from "./measure-mcp.ts";
import { measureMemory } from "./measure-memory.ts";
import { measureModelSteps } from "./measure-model-steps.ts";
import { measureModels } from "./measure-models.ts";
import { measureMute } from "./measure-mute.ts";
import { measureProgram } from "./measure-program.ts";
import { measureRepairs } from "./measure-repairs.ts";
import { measureReplay } from "./measure-replay.ts";
import { measureRestarts } from "./measure-restarts.ts";
import { measureSchedules } from "./measure-schedules.ts";
import { measureScreen } from "./measure-screen.ts";
import { measureScroll } from "./measure-scroll.ts";
import { measureShares } from "./measure-shares.ts";
import { measureStart } from "./measure-start.ts";
import { measureSteps } from "./measure-steps.ts";
import { measureThroughput } from "./measure-throughput.ts";
import { measureWebhooks } from "./measure-webhooks.ts";
import { stopSharedStack } from "./plain-stack.ts";
import { printTable } from "./print-table.ts";
import { isSmoke, sized } from "./sized.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    workflows: { type: "string" },
    times: { type: "string" },
    attack: { type: "string" },
    smoke: { type: "boolean" },
    against: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});

/** The longest come first, so that the lanes of a smoke end together. */
const measurements: readonly Measurement[] = [
  { name: "start", measure: measureStart },
  {
    name: "forms",
    measure: () => measureForms(amountsOf(values, { workflows: sized(20, 1), times: sized(10, 1) })),
  },
  { name: "restarts", measure: measureRestarts, isTested: true },
  { name: "models", measure: measureModels },
  { name: "attacks", measure: () => measureAttacks(values.attack) },
  { name: "model-steps", measure: measureModelSteps },
  {
    name: "demo",
    measure: () => measureDemo(amountsOf(values, { workflows: 1, times: sized(100, 1) })),
    isTested: true,
  },
  { name: "console", measure: measureConsole },
  { name: "live", measure: measureLive },
  { name: "memory", measure: measureMemory },
  { name: "bundles", measure: measureBundles },
  { name: "docs", measure: measureDocs },
  { name: "cli", measure: measureCli },
  { name: "handler", measure: measureHandler },
  { name: "scroll", measure: measureScroll },
  { name: "mcp", measure: measureMcp },
  { name: "desktop", measure: measureDesktop },
  { name: "screen", measure: measureScreen },
  { name: "throughput", measure: measureThroughput },
  { name: "lists", measure: measureLists },
  { name: "matching", measure: measureMatching },
  { name: "crowd", measure: measureCrowd },
  { name: "schedules", measure: measureSchedules },
  { name: "shares", measure: measureShares },
  { name: "mute", measure: measureMute },
  { name: "fleet", measure: measureFleet },
  { name: "machines", measure: measureMachines },
  { name: "dispatch", measure: measureDispatch },
  { name: "anchors", measure: measureAnchors },
  { name: "replay", measure: measureReplay },
  { name: "program", measure: measureProgram },
  { name: "crashes", measure: measureCrashes },
  { name: "steps", measure: measureSteps },
  { name: "executions", measure: measureExecutions },
  { name: "webhooks", measure: measureWebhooks },
  { name: "repairs", measure: measureRepairs },
];

const unknown = positionals.filter((name) => !measurements.some((measurement) => measurement.name === name));
if (unknown.length > 0) {
  console.error(
    `bench knows ${measurements.map(({ name }) => name).join(", ")}; it does not know ${unknown.join(", ")}`,
  );
  process.exit(1);
}

const asked = measurements.filter(({ name, isTested }) =>
  positionals.length === 0 ? !(isSmoke && isTested) : positionals.includes(name),
);
if (values.against === undefined) {
  const broken = await measureAll(asked);
  if (broken.length > 0) {
    console.error(`broken: ${broken.join(", ")}`);
    process.exitCode = 1;
  }
} else {
  await compare({
    names: asked.map(({ name }) => name),
    commit: values.against,
    rounds: numberOf("rounds", values.rounds),
    options: isSmoke ? ["--smoke"] : [],
  }).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

/** @returns the names of those that failed, which do not hide the others. */
async function measureAll(all: readonly Measurement[]): Promise<readonly string[]> {
  const figures: Figure[] = [];
  const failed: string[] = [];
  const one = async ({ name, measure }: Measurement) => {
    console.error(`measuring ${name} …`);
    const startedMs = performance.now();
    try {
      figures.push(...(await measure()));
    } catch (error) {
      console.error(error);
      failed.push(name);
    }
    console.error(`measured ${name} in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  };
  const left = [...all];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await one(next);
  };
  // A smoke's figures mean nothing, so some go on beside each other once the first has built what all start from:
  // one more than there are processors, because much of their time is waiting.
  const first = isSmoke ? left.shift() : undefined;
  if (first !== undefined) await one(first);
  await Promise.all(Array.from({ length: isSmoke ? availableParallelism() + 1 : 1 }, lane));
  await stopSharedStack();
  printTable([
    ["Figure", "Measured", "To reach", ""],
    ...figures.map(({ figure, measured, target, isReached }) => [
      figure,
      measured,
      target,
      isReached === undefined ? "" : isReached ? "reached" : "NOT REACHED",
    ]),
  ]);
  return failed;
}
