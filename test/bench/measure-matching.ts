import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";
import type { Assignment } from "../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { aMachine } from "../support/builders/entities.ts";
import { writeItems } from "../support/seed/write-items.ts";
import { createTestTable, type TestTable } from "../support/table.ts";
import { type BenchMatcher, createBenchMatcher } from "./bench-matcher.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import {
  assignmentsOf,
  crowdItems,
  crowdOf,
  machineChanged,
  machineItems,
  runItems,
  runQueued,
  waitingRuns,
} from "./matching-crowd.ts";
import { sized } from "./sized.ts";

const sizes = [
  { runs: 100, machines: 10 },
  { runs: sized(10_000, 200), machines: sized(1_000, 20) },
] as const;
/** Half of the smaller organization's machines; the other half is for the bare transactions. */
const atOnce = 5;
const warmUp = sized(5, 1);
const rounds = sized(60, 2);
const ratioMax = 1.2;
const callsMax = 4;

/** A state that triggers matching. */
interface Scene {
  readonly size: (typeof sizes)[number];
  /** Restores the state, so that each round finds the same number of machines and runs. */
  readonly prepare: (assigned: readonly Assignment[]) => Promise<{
    readonly triggers: readonly MatchTrigger[];
    readonly bare: readonly Assignment[];
  }>;
}

interface Times {
  readonly matchedMs: number[];
  readonly bareMs: number[];
  readonly calls: number[];
}

/**
 * Measures the cost of an assignment in organizations of two sizes, in turns on one table: its calls, and its time
 * relative to bare transactions of the same items. Once machines become free while runs wait, once runs are queued
 * while machines are idle.
 */
export async function measureMatching(): Promise<readonly Figure[]> {
  const dynamoDb = await startDynamoDbLocal();
  try {
    const table = await createTestTable(dynamoDb.url);
    const matcher = createBenchMatcher(table);
    const figures: Figure[] = [];
    for (const [name, begin] of [
      ["a machine becomes free", machinesBecomeFree],
      ["a run is queued", runsAreQueued],
    ] as const) {
      const scenes: Scene[] = [];
      for (const size of sizes) scenes.push(await begin(table, size));
      figures.push(...figuresOf(name, await compare(matcher, scenes)));
    }
    table.client.destroy();
    return figures;
  } finally {
    await dynamoDb.stop();
  }
}

async function machinesBecomeFree(table: TestTable, size: Scene["size"]): Promise<Scene> {
  const crowd = crowdOf(size.machines);
  const runs = waitingRuns(crowd, size.runs);
  await writeItems(table, crowdItems(crowd));
  await writeItems(table, machineItems(crowd.machines, "unknown"));
  await writeItems(table, runItems(runs));
  const [freed, others] = [crowd.machines.slice(0, atOnce), crowd.machines.slice(-atOnce)];
  // The oldest are taken by the matcher, the youngest by the bare transactions.
  const taken = [...runs.slice(0, 2 * atOnce), ...runs.slice(-atOnce)];
  return {
    size,
    prepare: async () => {
      await writeItems(table, machineItems([...freed, ...others], "unknown"));
      await writeItems(table, runItems(taken));
      return {
        triggers: freed.map(machineChanged),
        bare: assignmentsOf(others, runs.slice(-atOnce)),
      };
    },
  };
}

/** Runs are queued while machines are idle. Runs that wait already wait for a disconnected machine. */
async function runsAreQueued(table: TestTable, size: Scene["size"]): Promise<Scene> {
  const crowd = crowdOf(size.machines);
  const { organizationId, machines } = crowd;
  const away = aMachine({ organizationId });
  await writeItems(table, crowdItems(crowd));
  // The others have no idle rows, because it is not known which of the idle machines the matcher takes.
  const [noted, others] = [machines.slice(0, -atOnce), machines.slice(-atOnce)];
  await writeItems(table, [machineItem(away), ...machineItems(noted, "idle")]);
  await writeItems(table, runItems(waitingRuns(crowd, size.runs, { namedMachineId: away.id, poolIds: [] })));
  return {
    size,
    prepare: async (assigned) => {
      const taken = new Set(assigned.map(({ machine }) => machine.id));
      const freed = noted.filter(({ id }) => taken.has(id));
      await writeItems(table, [...machineItems(freed, "idle"), ...machineItems(others, "unknown")]);
      const queued = waitingRuns(crowd, atOnce, { poolIds: [] });
      await writeItems(table, runItems(queued));
      // These runs wait for a pool without machines, in a queue that the matcher does not read.
      const elsewhere = waitingRuns(crowd, atOnce, { poolIds: [away.id] });
      await writeItems(table, runItems(elsewhere));
      return {
        triggers: queued.map(runQueued),
        bare: assignmentsOf(others, elsewhere),
      };
    },
  };
}

async function compare(matcher: BenchMatcher, scenes: readonly Scene[]): Promise<ReadonlyMap<Scene, Times>> {
  const times = new Map(
    scenes.map((scene): [Scene, Times] => [scene, { matchedMs: [], bareMs: [], calls: [] }]),
  );
  const assigned = new Map<Scene, readonly Assignment[]>();
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [scene, { matchedMs, bareMs, calls }] of times) {
      const { triggers, bare } = await scene.prepare(assigned.get(scene) ?? []);
      const matched = await matcher.match(triggers);
      assigned.set(scene, matched.assigned);
      if (matched.assigned.length !== atOnce)
        throw new Error(`${matched.assigned.length} runs were assigned`);
      const tookMs = await matcher.assignBare(bare);
      if (round < warmUp) continue;
      matchedMs.push(matched.tookMs / atOnce);
      bareMs.push(tookMs / atOnce);
      calls.push(matched.calls.length / atOnce);
    }
  }
  return times;
}

function figuresOf(name: string, times: ReadonlyMap<Scene, Times>): readonly Figure[] {
  const [small, large] = [...times].map(([{ size }, { matchedMs, bareMs, calls }]) => ({
    calls: median(calls),
    matchedMs: median(matchedMs),
    bareMs: median(bareMs),
    title: `${size.runs.toLocaleString("en")} × ${size.machines.toLocaleString("en")}`,
  }));
  if (!small || !large) throw new Error("two sizes are compared");
  const ratios = [large, small].map(({ matchedMs, bareMs }) => matchedMs / bareMs);
  const ratio = (ratios[0] ?? Number.NaN) / (ratios[1] ?? Number.NaN);
  const shown = [large, small].map(
    ({ matchedMs, bareMs }) => `${milliseconds(matchedMs)} (${milliseconds(bareMs)})`,
  );
  return [
    {
      figure: `${name}: DynamoDB calls per assignment at ${large.title} / at ${small.title} runs × machines`,
      measured: `${large.calls.toFixed(1)} / ${small.calls.toFixed(1)}`,
      target: `at most ${callsMax}`,
      isReached: Math.max(large.calls, small.calls) <= callsMax,
    },
    {
      figure: "the same, time (bare transactions of the same items), ratio of the ratios",
      measured: `${shown.join(" / ")} = ${ratio.toFixed(2)}`,
      target: `at most ${ratioMax}`,
      isReached: ratio <= ratioMax,
    },
  ];
}
