import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { entryOfRun } from "../../domain/matching/queue-places.ts";
import { type EndEffects, effectsOfEnd } from "../../domain/run/end-effects.ts";
import type { Run } from "../../domain/run/run.ts";
import type { JudgedOn } from "../../domain/run/run-change.ts";
import { type Attempt, writeAsRead } from "../entity/update-entity.ts";
import { executionDelete } from "../execution/execution-item.ts";
import { executionEnded } from "../execution/executions-under-way.ts";
import { dequeueWrite } from "../queue/queue-rows.ts";
import { endedChange, isOpenSession, isPending, usedChange } from "../session/session-item.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Change, type Condition, isAsRead, type Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { dueRow, machineKey, runKey, sessionKey, stoppedChainKey } from "../table/keys.ts";
import { parseRun } from "./run-item.ts";

interface RunEnd {
  /** As it was read: nothing is written unless it still has that revision. */
  readonly before: Run;
  /** As it will be. */
  readonly after: Run;
  readonly endedAt: string;
  /** Of the run's row; the rest of the transaction is derived from it. */
  readonly change: Change;
  readonly condition: Condition;
  readonly beside?: readonly Write[];
  /** End it only if its machine has been without a connection since then (ISO 8601). */
  readonly machineAwaySince?: string;
  readonly judgedOn?: JudgedOn | undefined;
}

/** What to do with a run as it is: nothing, its end with all that follows from it, or other writes, its row first. */
export type RunDecision<Outcome> =
  | Attempt<Outcome>
  | { readonly end: RunEnd; readonly outcome: Outcome; readonly result: unknown };

/** What conditions failed; the machine's row where its condition did. */
export interface FailedEnd {
  readonly machine: Item | undefined;
  /** `judgedOn` holds no longer. */
  readonly isJudgedOnChanged: boolean;
}

/** Assumptions about the items around a run, corrected by failed conditions. */
interface Surroundings {
  readonly hasMachine: boolean;
  readonly isReserved: boolean;
  readonly isSessionOpen: boolean;
}

interface EndWrites {
  readonly writes: readonly Write[];
  readonly machine: Write | undefined;
  readonly session: Write | undefined;
  readonly judgedOn: readonly Write[];
}

/**
 * Writes what `decide` makes of a run, and decides again when it was overtaken. A run ends in one transaction with all
 * that follows: it leaves its queue, or its machine becomes free; its session ends or is marked as used; its chain
 * stops.
 *
 * @param run undefined when there is none, or when it was not read.
 * @throws {AlreadyOnRecord}
 * @throws {ChangedTooOften}
 */
export async function writeRun<Outcome>(
  deps: StoreDeps,
  { run, idempotency }: { readonly run: Run | undefined; readonly idempotency?: Idempotency | undefined },
  decide: (current: Run | undefined, failed: FailedEnd | undefined) => RunDecision<Outcome>,
): Promise<Outcome> {
  let current = run;
  let around: Surroundings | undefined;
  let last: EndWrites | undefined;
  return await writeAsRead<Outcome>(deps, { what: "the run", idempotency }, async (failed) => {
    const failedOf = (write: Write | undefined) => {
      const place = write && last ? last.writes.indexOf(write) : -1;
      return failed?.has(place) ? { item: failed.get(place) } : undefined;
    };
    const machine = failedOf(last?.machine);
    if (failed?.has(0)) {
      const item = failed.get(0);
      current = item && parseRun(item);
      around = undefined;
    } else if (current && around) {
      const hasRun = machine?.item?.current_run_id === current.id;
      around = {
        hasMachine: around.hasMachine && (!machine || hasRun),
        isReserved: around.isReserved && !hasRun,
        isSessionOpen: around.isSessionOpen && !failedOf(last?.session),
      };
    }
    const isJudgedOnChanged = last?.judgedOn.some((write) => failedOf(write) !== undefined) === true;
    const decided = decide(current, failed && { machine: machine?.item, isJudgedOnChanged });
    if (!("end" in decided)) return decided;
    const { end, outcome, result } = decided;
    around ??= {
      hasMachine: end.before.status === "running" && end.before.machineId !== null,
      isReserved: true,
      isSessionOpen: true,
    };
    last = endWrites(end, around);
    return { writes: last.writes, outcome, result };
  });
}

function endWrites(end: RunEnd, around: Surroundings): EndWrites {
  const { before, after, machineAwaySince } = end;
  const effects = effectsOfEnd(before, after);
  const machine = around.hasMachine
    ? machineFreed(before, releases(effects, around), machineAwaySince)
    : undefined;
  const session = around.isSessionOpen ? sessionWrite(end, effects) : undefined;
  const checks = judgedOnChecks(end, session);
  const writes = [
    runWrite(end),
    ...(machine === undefined ? [] : [machine]),
    ...(session === undefined ? [] : [session]),
    ...(before.status === "running" && before.executor === "service"
      ? [executionDelete(before), executionEnded(before)]
      : []),
    ...(before.status === "scheduling" ? [dequeueWrite(entryOfRun(before))] : []),
    ...(effects.stopsChain && around.isSessionOpen ? stoppedChain(before) : []),
    ...checks,
    ...(end.beside ?? []),
  ];
  const judgedOn = end.judgedOn?.isSessionPending && session ? [session, ...checks] : checks;
  return { writes, machine, session, judgedOn };
}

function releases(effects: EndEffects, around: Surroundings): boolean {
  if (effects.session === "none") return false;
  return around.isReserved && (effects.session === "ends" || !around.isSessionOpen);
}

function runWrite(end: RunEnd): Write {
  const { before, change, condition } = end;
  return {
    kind: "update",
    key: runKey(before.organizationId, before.id),
    change: { ...change, ...dueAfter(end) },
    condition: allOf(condition, {
      expression: "revision = :read_revision",
      values: { read_revision: before.revision },
    }),
  };
}

/** What is due next: a deletion, the end of its secret's use, or the end of its time. */
function dueAfter({ before, change, endedAt }: RunEnd): Change {
  if (change.set?.due_pk !== undefined) return {};
  return { set: { ...change.set, ...endedDue(before.id, endedAt, before.secretId !== null) } };
}

/** Where the sweeper finds an ended run: one that still has a secret, or all others, by their age. */
export function endedDue(runId: string, endedAt: string, hasSecret: boolean) {
  return dueRow(hasSecret ? "ENDED#RUN_SECRET" : "ENDED#RUN", runId, endedAt);
}

/** The machine can take another run; once its session ends, a run outside of that session too. */
export function machineFreed(run: Run, isReleased = false, awaySince?: string): Write {
  return {
    kind: "update",
    key: machineKey(run.organizationId, run.machineId ?? ""),
    change: {
      remove: ["current_run_id", ...(isReleased ? ["reserved_session_id"] : [])],
      add: { revision: 1 },
    },
    condition: {
      expression: [
        "current_run_id = :run",
        ...(isReleased ? ["reserved_session_id = :session"] : []),
        ...(awaySince === undefined ? [] : ["disconnected_at = :away"]),
      ].join(" AND "),
      values: {
        run: run.id,
        ...(isReleased ? { session: run.sessionId } : {}),
        ...(awaySince === undefined ? {} : { away: awaySince }),
      },
    },
  };
}

function sessionWrite(
  { before: run, endedAt, judgedOn }: RunEnd,
  { session }: EndEffects,
): Write | undefined {
  if (run.sessionId === null || session === "none") return undefined;
  const key = sessionKey(run.organizationId, run.sessionId);
  const change = session === "ends" ? endedChange(endedAt) : usedChange(run.sessionId, endedAt);
  return { kind: "update", key, change, condition: judgedOn?.isSessionPending ? isPending : isOpenSession };
}

function judgedOnChecks({ before, judgedOn }: RunEnd, session: Write | undefined): readonly Write[] {
  if (judgedOn === undefined) return [];
  const { organizationId, sessionId } = before;
  const { machine, isSessionPending } = judgedOn;
  const isFree: Write = {
    kind: "check",
    key: machineKey(organizationId, machine.id),
    condition: isAsRead(machine),
  };
  if (!isSessionPending || sessionId === null || session !== undefined) return [isFree];
  return [isFree, { kind: "check", key: sessionKey(organizationId, sessionId), condition: isPending }];
}

/** While this row exists the chain starts no step; canceling the steps removes it. */
function stoppedChain({ organizationId, sessionId, chainId }: Run): readonly Write[] {
  if (sessionId === null || chainId === null) return [];
  const key = stoppedChainKey(organizationId, sessionId, chainId);
  return [
    {
      kind: "put",
      item: {
        ...key,
        kind: "stopped_chain",
        id: chainId,
        organization_id: organizationId,
        session_id: sessionId,
      },
    },
  ];
}
