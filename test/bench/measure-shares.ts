import { setTimeout as pause } from "node:timers/promises";
import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import { workflowItem } from "../../shared/storage/workflow/workflow-item.ts";
import { aWorkflow } from "../support/builders/workflows.ts";
import { writeItems } from "../support/seed/write-items.ts";
import { createTestTable, type TestTable } from "../support/table.ts";
import { type BenchMatcher, createBenchMatcher } from "./bench-matcher.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import {
  type Crowd,
  crowdItems,
  crowdOf,
  machineChanged,
  machineItems,
  runItems,
  runQueued,
  waitingRuns,
} from "./matching-crowd.ts";
import { sized } from "./sized.ts";

const samples = sized(20, 1);
const p95MsMax = 1_000;
/** Number of records that the mapping hands to one invocation. */
const batch = 100;
/** Pause between two runs of the other organization. */
const restMs = 100;

interface Attack {
  readonly name: string;
  readonly workflows: readonly Partial<Workflow>[];
  readonly runs: number;
  readonly inputValues: Run["inputValues"];
}

const slow = (number: number) => ({
  inputSchema: { $comment: `${number}`, properties: { a: { type: "string", pattern: "^(a+)+$" } } },
});

const attacks: readonly Attack[] = [
  {
    name: "1,000 doomed runs",
    workflows: [{ inputSchema: { required: ["name"] } }],
    runs: 1_000,
    inputValues: {},
  },
  {
    name: "51 slow schemas in turn",
    workflows: Array.from({ length: 51 }, (_, number) => slow(number)),
    runs: 51,
    inputValues: { a: `${"a".repeat(60)}!` },
  },
];

/**
 * Measures how long another organization's run waits while one organization keeps a matcher busy, its own ten machines
 * idle, in one lane of the stream, which hands both to one invocation after the other.
 */
export async function measureShares(): Promise<readonly Figure[]> {
  const dynamoDb = await startDynamoDbLocal();
  try {
    const table = await createTestTable(dynamoDb.url);
    const figures: Figure[] = [];
    for (const attack of sized(attacks, attacks.slice(1))) {
      const waited = await attacked(table, createBenchMatcher(table), attack);
      const p95 = percentile(waited, 95);
      figures.push({
        figure: `another organization's run while one has ${attack.name}: until it begins, p95 of ${samples} (p50)`,
        measured: `${milliseconds(p95)} (${milliseconds(median(waited))})`,
        target: `at most ${p95MsMax} ms`,
        isReached: p95 <= p95MsMax,
      });
    }
    table.client.destroy();
    return figures;
  } finally {
    await dynamoDb.stop();
  }
}

async function attacked(table: TestTable, matcher: BenchMatcher, attack: Attack): Promise<readonly number[]> {
  const [greedy, other] = [crowdOf(10), crowdOf(1)];
  const { organizationId } = greedy;
  const workflows = attack.workflows.map((fields) => aWorkflow({ organizationId, ...fields }));
  await writeItems(table, [...crowdItems(greedy), ...workflows.map(workflowItem), ...crowdItems(other)]);
  await writeItems(table, machineItems([...greedy.machines, ...other.machines], "idle"));
  const lane: MatchTrigger[] = [];
  const attackAgain = async (): Promise<void> => {
    const runs = waitingRuns(greedy, attack.runs, { poolIds: [], inputValues: attack.inputValues }).map(
      (run, at) => ({ ...run, workflowId: workflows[at % workflows.length]?.id ?? run.workflowId }),
    );
    await writeItems(table, runItems(runs));
    lane.push(...runs.map(runQueued));
  };
  await attackAgain();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      if (lane.length === 0) await attackAgain();
      await matcher.round(lane.splice(0, batch));
      lane.push(...matcher.matches.left.splice(0));
    }
  })();
  const sampling = sample(table, matcher, other, lane).finally(() => {
    isOver = true;
  });
  const [waited] = await Promise.all([sampling, reading]);
  return waited;
}

async function sample(
  table: TestTable,
  { matches, runs }: BenchMatcher,
  other: Crowd,
  lane: MatchTrigger[],
): Promise<readonly number[]> {
  const waited: number[] = [];
  for (let round = 0; round < samples; round += 1) {
    await pause(restMs);
    const queued = waitingRuns(other, 1, { poolIds: [] });
    await writeItems(table, runItems(queued));
    const startedMs = performance.now();
    lane.push(...queued.map(runQueued));
    let given: (typeof matches.assigned)[number] | undefined;
    while (given === undefined) {
      await pause(2);
      given = matches.assigned.find(({ run }) => queued.some(({ id }) => id === run.id));
    }
    waited.push(performance.now() - startedMs);
    const change = { status: "success", endedAt: isoTimestamp(Date.now()) } as const;
    await runs.update(other.organizationId, given.run.id, change, { assignmentId: given.assignmentId });
    lane.push(...other.machines.map(machineChanged));
  }
  return waited;
}
