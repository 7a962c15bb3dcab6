import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { entryOfRun } from "../../domain/matching/queue-places.ts";
import { type EndEffects, effectsOfEnd } from "../../domain/run/end-effects.ts";
import type { Run } from "../../domain/run/run.ts";
import { dequeueWrite } from "../queue/queue-rows.ts";
import { endedChange, isOpenSession, usedChange } from "../session/session-item.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Change, Condition, Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { dueRow, machineKey, runKey, sessionKey, stoppedChainKey } from "../table/keys.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";

/** The machine may have lost its reservation, the session may have ended, the run may be without its machine. */
const attemptsMax = 4;

export interface RunEnd {
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
}

export type EndOutcome =
  | { readonly kind: "ended" }
  /** Its machine has not been away since the timestamp given. */
  | { readonly kind: "machine_back" }
  /** Changed since it was read; the row as it is now. */
  | { readonly kind: "overtaken"; readonly item: Item | undefined };

/** Assumptions about the items around a run, corrected by failed conditions. */
interface Surroundings {
  readonly hasMachine: boolean;
  readonly isReserved: boolean;
  readonly isSessionOpen: boolean;
}

/**
 * Ends a run in one transaction with all that follows: it leaves its queue, or its machine becomes free; its session
 * ends or is marked as used; its chain stops.
 *
 * @throws {AlreadyOnRecord}
 */
export async function writeRunEnd(
  table: DynamoTable,
  end: RunEnd,
  once: { readonly idempotency: Idempotency | undefined; readonly result: unknown; readonly nowMs: number },
): Promise<EndOutcome> {
  const { before, after } = end;
  const effects = effectsOfEnd(before, after);
  let around: Surroundings = {
    hasMachine: before.status === "running" && before.machineId !== null,
    isReserved: true,
    isSessionOpen: true,
  };
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const machine = around.hasMachine
      ? machineWrite(before, releases(effects, around), end.machineAwaySince)
      : undefined;
    const session = around.isSessionOpen ? sessionWrite(before, effects, end.endedAt) : undefined;
    const writes = [
      runWrite(end),
      ...(machine === undefined ? [] : [machine]),
      ...(session === undefined ? [] : [session]),
      ...(before.status === "scheduling" ? [dequeueWrite(entryOfRun(before))] : []),
      ...(effects.stopsChain && around.isSessionOpen ? stoppedChain(before) : []),
      ...(end.beside ?? []),
    ];
    const outcome = await transactIdempotent(table, writes, once);
    if (outcome.kind === "written") return { kind: "ended" };
    if (outcome.failed.has(0)) return { kind: "overtaken", item: outcome.failed.get(0) };
    if (isBack(end, machine && outcome.failed.get(writes.indexOf(machine)))) return { kind: "machine_back" };
    around = correct(
      around,
      before,
      outcome.failed,
      machine && writes.indexOf(machine),
      session && writes.indexOf(session),
    );
  }
  throw new ChangedTooOften("the run");
}

function isBack({ machineAwaySince }: RunEnd, machine: Item | undefined): boolean {
  if (machineAwaySince === undefined || machine === undefined) return false;
  return machine.disconnected_at !== machineAwaySince;
}

function releases(effects: EndEffects, around: Surroundings): boolean {
  if (effects.session === "none") return false;
  return around.isReserved && (effects.session === "ends" || !around.isSessionOpen);
}

function correct(
  around: Surroundings,
  run: Run,
  failed: ReadonlyMap<number, Item | undefined>,
  machinePlace: number | undefined,
  sessionPlace: number | undefined,
): Surroundings {
  const isMachineWrong = machinePlace !== undefined && failed.has(machinePlace);
  const hasRun = isMachineWrong && failed.get(machinePlace)?.current_run_id === run.id;
  return {
    hasMachine: around.hasMachine && (!isMachineWrong || hasRun),
    isReserved: around.isReserved && !hasRun,
    isSessionOpen: around.isSessionOpen && !(sessionPlace !== undefined && failed.has(sessionPlace)),
  };
}

function runWrite(end: RunEnd): Write {
  const { before, change, condition } = end;
  return {
    kind: "update",
    key: runKey(before.organizationId, before.id),
    change: { ...change, ...dueAfter(end) },
    condition: {
      expression: `${condition.expression} AND revision = :read_revision`,
      values: { ...condition.values, read_revision: before.revision },
    },
  };
}

/** What is due next: a deletion, or the end of its secret's use. */
function dueAfter({ before, change, endedAt }: RunEnd): Change {
  if (change.set?.due_pk !== undefined) return {};
  if (before.secretName === null) return { remove: [...(change.remove ?? []), "due_pk", "due_sk"] };
  return { set: { ...change.set, ...endedSecretDue(before.id, endedAt) } };
}

/** Where the sweeper finds an ended run that still has a secret. */
export function endedSecretDue(runId: string, endedAt: string) {
  return dueRow("ENDED#RUN_SECRET", runId, endedAt);
}

/** The machine can take another run; once its session ends, a run outside of that session too. */
function machineWrite(run: Run, isReleased: boolean, awaySince: string | undefined): Write {
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

function sessionWrite(run: Run, { session }: EndEffects, endedAt: string): Write | undefined {
  if (run.sessionId === null || session === "none") return undefined;
  const key = sessionKey(run.organizationId, run.sessionId);
  const change = session === "ends" ? endedChange(endedAt) : usedChange(run.sessionId, endedAt);
  return { kind: "update", key, change, condition: isOpenSession };
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
