import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import type { Assignment } from "../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import { writeItems } from "../support/seed/write-items.ts";
import { createTestTable } from "../support/table.ts";
import { type BenchMatcher, createBenchMatcher, inTurns } from "./bench-matcher.ts";
import type { Figure } from "./figure.ts";
import {
  assignmentsOf,
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

interface Scene {
  readonly machines: number;
  readonly runs: number;
  /** Number of concurrent invocations, each with a part of every batch, as with several shards of the stream. */
  readonly invocations: number;
}

const scenes: readonly Scene[] = sized(
  [
    { machines: 1_000, runs: 10_000, invocations: 1 },
    { machines: 100, runs: 1_000, invocations: 4 },
  ],
  [{ machines: 20, runs: 60, invocations: 4 }],
);
/** Number of records that the mapping hands to one invocation. */
const batch = 100;
/** One bare transaction per this number of runs, made in a batch before every as many batches. */
const bareEvery = 10;
const shareMin = 0.3;
const callsMax = 8;

interface Tally {
  assignedMs: number;
  bareMs: number;
  bare: number;
  calls: number;
  refused: number;
  readonly given: Map<string, Assignment[]>;
}

/**
 * A thousand idle machines get ten thousand runs: the first thousand as they are queued, the others as machines become
 * free. The runs' ends are between the measured invocations of the matcher, and so are bare transactions of the same
 * items, as many at once.
 */
export async function measureCrowd(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const scene of scenes) figures.push(...(await crowdFigures(scene)));
  return figures;
}

async function crowdFigures(scene: Scene): Promise<readonly Figure[]> {
  const dynamoDb = await startDynamoDbLocal();
  try {
    const table = await createTestTable(dynamoDb.url);
    const matcher = createBenchMatcher(table);
    const crowd = crowdOf(scene.machines);
    const runs = waitingRuns(crowd, scene.runs);
    await writeItems(table, crowdItems(crowd));
    await writeItems(table, machineItems(crowd.machines, "idle"));
    await writeItems(table, runItems(runs));
    const bare = crowdOf(scene.runs / bareEvery);
    const bareRuns = waitingRuns(bare, bare.machines.length);
    await writeItems(table, crowdItems(bare));
    await writeItems(table, machineItems(bare.machines, "idle"));
    await writeItems(table, runItems(bareRuns));

    const tally = await assignAll(matcher, {
      crowd,
      runs,
      bare: assignmentsOf(bare.machines, bareRuns),
      invocations: scene.invocations,
    });
    const problems = await problemsOf(matcher, crowd, runs, tally);
    table.client.destroy();
    return figuresOf(tally, problems, scene);
  } finally {
    await dynamoDb.stop();
  }
}

interface Work {
  readonly crowd: Crowd;
  readonly runs: readonly Run[];
  readonly bare: readonly Assignment[];
  readonly invocations: number;
}

async function assignAll(matcher: BenchMatcher, { crowd, runs, bare, invocations }: Work): Promise<Tally> {
  const tally: Tally = { assignedMs: 0, bareMs: 0, bare: 0, calls: 0, refused: 0, given: new Map() };
  const { organizationId } = crowd;
  const machineOf = new Map(crowd.machines.map((machine) => [machine.id, machine]));
  let busy: Assignment[] = [];
  let batches = 0;
  const match = async (triggers: readonly MatchTrigger[]): Promise<void> => {
    if (batches % bareEvery === 0) {
      const some = bare.slice(tally.bare, tally.bare + batch);
      if (some.length > 0) tally.bareMs += await matcher.assignBare(some);
      tally.bare += some.length;
    }
    batches += 1;
    const parts = Array.from({ length: invocations }, (_, part) =>
      triggers.filter((_trigger, at) => at % invocations === part),
    );
    const matched = await matcher.match(...parts);
    tally.assignedMs += matched.tookMs;
    tally.calls += matched.calls.length;
    tally.refused += matched.refused;
    for (const assignment of matched.assigned) {
      const { id } = assignment.run;
      tally.given.set(id, [...(tally.given.get(id) ?? []), assignment]);
    }
    busy.push(...matched.assigned);
  };
  for (let at = 0; at < runs.length; at += batch) await match(runs.slice(at, at + batch).map(runQueued));
  while (busy.length > 0) {
    const ending = busy.slice(0, batch);
    busy = busy.slice(batch);
    await inTurns(ending, async ({ run, assignmentId }) => {
      const change = { status: "success", endedAt: isoTimestamp(Date.now()) } as const;
      const { kind } = await matcher.runs.update(organizationId, run.id, change, { assignmentId });
      if (kind !== "updated") throw new Error(`a run was not ended: ${kind}`);
    });
    const freed = ending.flatMap(({ machine }) => machineOf.get(machine.id) ?? []);
    await match(freed.map(machineChanged));
  }
  return tally;
}

async function problemsOf(
  { matches }: BenchMatcher,
  { organizationId, poolId, machines }: Crowd,
  runs: readonly Run[],
  { given }: Tally,
): Promise<readonly string[]> {
  const twice = [...given.values()].filter((assignments) => assignments.length > 1).length;
  const never = runs.filter(({ id }) => !given.has(id)).length;
  let idle = 0;
  for (let after: string | undefined; ; ) {
    const page = await matches.idlePage(organizationId, undefined, 16, after);
    idle += page.machines.length;
    after = page.next;
    if (after === undefined) break;
  }
  const left = await Promise.all(
    [{ kind: "any" } as const, { kind: "pools", poolIds: [poolId] } as const].map((target) =>
      matches.queue(organizationId, target, 1),
    ),
  );
  return [
    ...(twice > 0 ? [`${twice} assigned twice`] : []),
    ...(never > 0 ? [`${never} never assigned`] : []),
    ...(left.flat().length > 0 ? ["places are left in queues"] : []),
    ...(idle === machines.length ? [] : [`${idle} of ${machines.length} machines are idle in the end`]),
  ];
}

function figuresOf(tally: Tally, problems: readonly string[], scene: Scene): readonly Figure[] {
  const assigned = tally.given.size;
  const [perSecond, bare] = [assigned / (tally.assignedMs / 1_000), tally.bare / (tally.bareMs / 1_000)];
  const share = perSecond / bare;
  const rates = `${perSecond.toFixed(0)} / ${bare.toFixed(0)} = ${share.toFixed(2)}`;
  const callsEach = tally.calls / assigned;
  const { invocations } = scene;
  const [machines, runs] = [scene.machines.toLocaleString("en"), scene.runs.toLocaleString("en")];
  const figure = `${machines} machines, ${runs} runs, ${invocations} invocation${invocations === 1 ? "" : "s"} at once`;
  const isFirst = invocations === 1;
  return [
    {
      figure,
      measured: problems.length === 0 ? "each assigned once, none left" : problems.join(", "),
      target: "each assigned once, none left",
      isReached: problems.length === 0,
    },
    {
      figure: "the same, assignments / bare transactions of the same items, per second",
      measured: rates,
      target: isFirst ? `share at least ${shareMin}` : "",
      ...(isFirst && { isReached: share >= shareMin }),
    },
    {
      figure:
        "the same, DynamoDB calls an assignment, notes of idle machines included (refused transactions)",
      measured: `${callsEach.toFixed(1)} (${tally.refused})`,
      target: `at most ${callsMax}`,
      isReached: callsEach <= callsMax,
    },
  ];
}
