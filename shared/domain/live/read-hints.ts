import { mapBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import { timestampOfId } from "../derive-id.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import { hasProgress, progressAt } from "../run-progress/explain-progress.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { Change } from "./change.ts";
import type { Hint, HintedMachine, HintedRun } from "./hint.ts";

export interface HintReader {
  /** Reads consistently; deleted ones are left out. */
  readRuns(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly HintedRun[]>;
  readMachines(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly HintedMachine[]>;
}

export interface ReadHintsDeps {
  readonly hintReader: HintReader;
  readonly executions: Pick<ExecutionStore, "findLastStep">;
  readonly clock: Pick<Clock, "now">;
}

export interface TopicHint {
  readonly topics: readonly string[];
  readonly hint: Hint;
}

export interface ReadHints {
  readonly hints: readonly TopicHint[];
  /** Changes whose step is still under way are looked at again. */
  readonly unsettled: readonly Change[];
}

/** No step is under way for as long, unless its executor died. */
const stepUnderWayMs = 60_000;

/**
 * Reads what changed as it is now, so that the last hint has the last state, in whatever order the changes came. Only what
 * is watched is read.
 */
export async function readHints(
  deps: ReadHintsDeps,
  organizationId: OrganizationId,
  changes: readonly Change[],
  watched: ReadonlySet<string>,
): Promise<ReadHints> {
  const isWatched = (topics: readonly string[]) => topics.some((topic) => watched.has(topic));
  const of = (...kinds: readonly Change["kind"][]) => changes.filter(({ kind }) => kinds.includes(kind));
  const isAnyRunWatched = [...watched].some((topic) => topic.startsWith("run"));

  const changed = ids(of("machine")).filter((id) => isWatched(machineTopics(id)));
  const called = isAnyRunWatched ? ids(of("call")) : [];
  const machines = await deps.hintReader.readMachines(organizationId, [...new Set([...changed, ...called])]);
  const machineOf = new Map(machines.map((machine) => [machine.id, machine]));

  const steps = new Map<string, Change[]>();
  for (const change of of("step", "call")) {
    const runId = change.kind === "step" ? change.id : machineOf.get(change.id)?.currentRunId;
    if (runId != null && isWatched(runTopics(runId))) steps.set(runId, [...(steps.get(runId) ?? []), change]);
  }
  const changedRuns = new Set(ids(of("run")).filter((id) => isWatched(runTopics(id))));
  const runIds = [...new Set([...changedRuns, ...steps.keys()])];
  const runs = await deps.hintReader.readRuns(organizationId, runIds);
  const runOf = new Map(runs.map((run) => [run.id, run]));

  const unsettled: Change[] = [];
  const ofRuns = await mapBounded(runIds, async (id): Promise<readonly TopicHint[]> => {
    const run = runOf.get(id) ?? null;
    const stepped = steps.get(id);
    const lastStep =
      run !== null && (stepped !== undefined || hasProgress(run))
        ? await deps.executions.findLastStep(organizationId, id)
        : undefined;
    const progress = run === null ? undefined : progressAt(run, lastStep);
    const hints: TopicHint[] = [{ topics: runTopics(id), hint: { kind: "run", id, run, progress } }];
    if (!stepped || !lastStep) return hints;
    const { settled, later } = settledBy(lastStep, stepped, deps.clock.now());
    unsettled.push(...later);
    if (settled.length === 0) return changedRuns.has(id) ? hints : [];
    const index = later.length === 0 ? lastStep.index : lastStep.index - 1;
    if (index < 1) return hints;
    return [...hints, { topics: [`run:${id}`], hint: { kind: "step", runId: id, index } }];
  });
  const ofMachines = changed.map((id): TopicHint => {
    return { topics: machineTopics(id), hint: { kind: "machine", id, machine: machineOf.get(id) ?? null } };
  });
  return { hints: [...ofMachines, ...ofRuns.flat()], unsettled };
}

/** A call that came after the begin of a step under way belongs to it, and has to wait for its outcome. */
function settledBy(last: RunStep, calls: readonly Change[], nowMs: number) {
  const fromMs = Date.parse(last.startedAt);
  const isUnderWay = last.status === "sending" && fromMs > nowMs - stepUnderWayMs;
  const { true: later = [], false: settled = [] } = Object.groupBy(calls, ({ mark }) =>
    isUnderWay && timestampOfId(mark) >= fromMs ? "true" : "false",
  );
  return { settled, later };
}

function ids(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ id }) => id))];
}

function runTopics(id: string): readonly string[] {
  return ["runs", `run:${id}`];
}

function machineTopics(id: string): readonly string[] {
  return ["machines", `machine:${id}`];
}
