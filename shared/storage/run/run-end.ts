import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { entryOfRun } from "../../domain/matching/queue-places.ts";
import { type EndEffects, effectsOfEnd } from "../../domain/run/end-effects.ts";
import type { Run } from "../../domain/run/run.ts";
import type { JudgedOn } from "../../domain/run/run-change.ts";
import { type Attempt, writeAsRead } from "../entity/update-entity.ts";
import { executionDelete } from "../execution/execution-item.ts";
import { executionEnded } from "../execution/executions-under-way.ts";
import { executionPlaceOf, placesGivenBack } from "../execution/service-executions.ts";
import { dequeueWrite } from "../queue/queue-rows.ts";
import { endedChange, isOpenSession, isPending, usedChange } from "../session/session-item.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import {
  allOf,
  type Change,
  type Condition,
  check,
  hasValue,
  isAsRead,
  put,
  update,
  type Write,
} from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import { machineKey, runKey, sessionKey, stoppedChainKey } from "../table/keys.ts";
import type { Failures, Parts } from "../table/transaction.ts";
import { parseRun } from "./run-item.ts";

interface RunEnd {
  /** Nothing is written unless the run still has this revision. */
  readonly before: Run;
  readonly after: Run;
  readonly endedAt: string;
  /** The rest of the transaction is derived from this change. */
  readonly change: Change;
  readonly condition: Condition;
  readonly count?: Write;
  /** The row of its metadata changes in the same transaction. */
  readonly metadata?: Write | undefined;
  /** The run ends only if its machine has had no connection since then (ISO 8601). */
  readonly machineAwaySince?: string;
  readonly judgedOn?: JudgedOn | undefined;
}

export type RunDecision<Outcome> =
  | Attempt<Outcome, EndPart>
  | { readonly end: RunEnd; readonly outcome: Outcome; readonly result: unknown };

export type EndPart =
  | "run"
  | "machine"
  | "session"
  | "execution"
  | "place"
  | "chain"
  | "judgedOn"
  | "count"
  | "metadata";

/** Failed conditions correct these assumptions. */
interface Surroundings {
  readonly hasMachine: boolean;
  readonly isReserved: boolean;
  readonly isSessionOpen: boolean;
}

/**
 * A run ends in one transaction with all that follows from its end.
 *
 * @param run undefined when there is none, or when it was not read. @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function writeRun<Outcome>(
  deps: StoreDeps,
  { run, idempotency }: { readonly run: Run | undefined; readonly idempotency?: Idempotency | undefined },
  decide: (current: Run | undefined, failures: Failures<EndPart> | undefined) => RunDecision<Outcome>,
): Promise<Outcome> {
  let current = run;
  let around: Surroundings | undefined;
  const of = { what: "the run", idempotency };
  return await writeAsRead<Outcome, EndPart>(deps, of, async (failures) => {
    if (failures?.has("run")) {
      const item = failures.item("run");
      current = item && parseRun(item);
      around = undefined;
    } else if (failures && current && around) {
      const hasRun = failures.item("machine")?.current_run_id === current.id;
      around = {
        hasMachine: around.hasMachine && (!failures.has("machine") || hasRun),
        isReserved: around.isReserved && !hasRun,
        isSessionOpen: around.isSessionOpen && !failures.has("session"),
      };
    }
    const decided = decide(current, failures);
    if (!("end" in decided)) return decided;
    const { end, outcome, result } = decided;
    around ??= {
      hasMachine: end.before.status === "running" && end.before.machineId !== null,
      isReserved: true,
      isSessionOpen: true,
    };
    return { parts: endParts(end, around), outcome, result };
  });
}

function endParts(end: RunEnd, around: Surroundings): Parts<EndPart> {
  const { before, after, machineAwaySince } = end;
  const effects = effectsOfEnd(before, after);
  const session = around.isSessionOpen ? sessionWrite(end, effects) : undefined;
  const isJudgedOn = end.judgedOn?.isSessionPending === true;
  return {
    run: runWrite(end),
    machine: around.hasMachine
      ? machineFreed(before, releases(effects, around), machineAwaySince)
      : undefined,
    session: isJudgedOn ? undefined : session,
    execution:
      before.status === "running" && before.executor === "service" ? executionOver(before) : undefined,
    place: before.status === "scheduling" ? dequeueWrite(entryOfRun(before)) : undefined,
    chain: effects.stopsChain && around.isSessionOpen ? stoppedChain(before) : undefined,
    judgedOn: [...(isJudgedOn && session ? [session] : []), ...judgedOnChecks(end, session)],
    count: end.count,
    metadata: end.metadata,
  };
}

export function executionOver(run: Run): readonly Write[] {
  const { serviceShard } = run;
  const place = serviceShard === null ? [] : [placesGivenBack(serviceShard, [executionPlaceOf(run)])];
  return [executionDelete(run), executionEnded(run), ...place];
}

function releases(effects: EndEffects, around: Surroundings): boolean {
  if (effects.session === "none") return false;
  return around.isReserved && (effects.session === "ends" || !around.isSessionOpen);
}

function runWrite(end: RunEnd): Write {
  const { before, change, condition } = end;
  const { organizationId, id, revision } = before;
  const isSame = { expression: "revision = :read_revision", values: { read_revision: revision } };
  return update(runKey(organizationId, id), { ...change, ...dueAfter(end) }, allOf(condition, isSame));
}

function dueAfter({ before, change, endedAt }: RunEnd): Change {
  if (change.set?.due_pk !== undefined) return {};
  return { set: { ...change.set, ...endedDue(before.id, endedAt, before.secretId !== null) } };
}

/** The sweeper lists runs that still have a secret apart from all others. */
export function endedDue(runId: string, endedAt: string, hasSecret: boolean) {
  return dueRow(hasSecret ? "ENDED#RUN_SECRET" : "ENDED#RUN", runId, endedAt);
}

export function machineFreed(run: Run, isReleased = false, awaySince?: string): Write {
  const change = {
    remove: ["current_run_id", "held", ...(isReleased ? ["reserved_session_id"] : [])],
    add: { revision: 1 },
  };
  const condition = allOf(
    hasValue("current_run_id", run.id),
    isReleased ? hasValue("reserved_session_id", run.sessionId) : undefined,
    awaySince === undefined ? undefined : hasValue("disconnected_at", awaySince),
  );
  return update(machineKey(run.organizationId, run.machineId ?? ""), change, condition);
}

function sessionWrite(
  { before: run, endedAt, judgedOn }: RunEnd,
  { session }: EndEffects,
): Write | undefined {
  if (run.sessionId === null || session === "none") return undefined;
  const key = sessionKey(run.organizationId, run.sessionId);
  const change = session === "ends" ? endedChange(endedAt) : usedChange(run.sessionId, endedAt);
  return update(key, change, judgedOn?.isSessionPending ? isPending : isOpenSession);
}

function judgedOnChecks({ before, judgedOn }: RunEnd, session: Write | undefined): readonly Write[] {
  if (judgedOn === undefined) return [];
  const { organizationId, sessionId } = before;
  const { machine, isSessionPending } = judgedOn;
  const isFree = check(machineKey(organizationId, machine.id), isAsRead(machine));
  if (!isSessionPending || sessionId === null || session !== undefined) return [isFree];
  return [isFree, check(sessionKey(organizationId, sessionId), isPending)];
}

/** While this row exists the chain starts no step. */
function stoppedChain({ organizationId, sessionId, chainId }: Run): Write | undefined {
  if (sessionId === null || chainId === null) return undefined;
  return put({
    ...stoppedChainKey(organizationId, sessionId, chainId),
    kind: "stopped_chain",
    id: chainId,
    organization_id: organizationId,
    session_id: sessionId,
  });
}
