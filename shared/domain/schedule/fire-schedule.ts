import type { OccurrenceOutcome, ScheduleStop } from "../../vocabulary/schedules.ts";
import { type ApiKeyStore, isUsable } from "../access/api-key.ts";
import { isoTimestamp } from "../clock.ts";
import { deriveId, idAtTime } from "../derive-id.ts";
import { DomainError } from "../errors.ts";
import { InvalidInput } from "../invalid-input.ts";
import { type PrepareRunDeps, prepareRun } from "../run/create/create-run.ts";
import { isTerminal } from "../run/run-status.ts";
import type { NewRuns, RequiredKind, RunStore } from "../run/run-store.ts";
import { type Decision, decide, isPending, outcomeOf } from "./decide.ts";
import type { DueScheduleStore, SettleOutcome } from "./due-schedule-store.ts";
import { runInputOf } from "./run-schedule.ts";
import type { Schedule } from "./schedule.ts";

export interface FireDeps extends PrepareRunDeps {
  readonly runs: Pick<RunStore, "find" | "findSession">;
  readonly dueSchedules: DueScheduleStore;
  readonly apiKeys: Pick<ApiKeyStore, "find">;
}

export type FiredCounts = { readonly [Outcome in OccurrenceOutcome | "stopped"]?: number };

/** A schedule's runs join no session. */
const stopOf: Readonly<Record<RequiredKind, ScheduleStop>> = {
  workflow: "workflow_deleted",
  machine: "machine_deleted",
  pool: "pool_deleted",
  session: "machine_deleted",
};

/** A schedule is read anew this often while others write it. */
const changesMax = 5;

/**
 * Deals with all occurrences of a schedule that are due, each in one write: with its run in the same transaction, so
 * that it happens once, wherever an invocation ends and however many meet.
 */
export async function fireSchedule(
  deps: FireDeps,
  found: Schedule,
  note: (outcome: keyof FiredCounts, count: number) => void,
): Promise<void> {
  let schedule: Schedule | undefined = found;
  for (let changes = 0; schedule !== undefined && changes < changesMax; ) {
    const nowMs = deps.clock.now();
    if (!isPending(schedule, nowMs)) return;
    const outcome: SettleOutcome | undefined = await settleNext(deps, schedule, nowMs);
    if (outcome === undefined) return;
    if (outcome.kind === "settled") {
      const { isEnabled, lastOutcome, missed } = outcome.schedule;
      note(isEnabled ? (lastOutcome ?? "stopped") : "stopped", missed?.count ?? 1);
      schedule = outcome.schedule;
    } else {
      changes += 1;
      [schedule] = await deps.dueSchedules.findDue([schedule]);
    }
  }
}

async function settleNext(
  deps: FireDeps,
  schedule: Schedule,
  nowMs: number,
): Promise<Exclude<SettleOutcome, { kind: "missing" }> | undefined> {
  const reason = await keyProblem(deps, schedule, nowMs);
  if (reason !== undefined) return await stop(deps, schedule, reason, nowMs);
  const decision = decide(schedule, nowMs, await isFree(deps, schedule));
  if (decision === undefined) return undefined;
  const outcome =
    decision.kind === "note"
      ? await deps.dueSchedules.settle(schedule, decision.settlement)
      : await start(deps, schedule, decision, nowMs);
  return outcome.kind === "missing" ? await stop(deps, schedule, stopOf[outcome.what], nowMs) : outcome;
}

async function start(
  deps: FireDeps,
  schedule: Schedule,
  { dueMs, after }: Extract<Decision, { kind: "start" }>,
  nowMs: number,
): Promise<SettleOutcome> {
  const input = await runInputOf(deps, schedule);
  if (input === undefined) return { kind: "changed" };
  const runId = runIdOf(schedule, dueMs);
  let news: NewRuns;
  try {
    const ids = { id: runId, secretId: deriveId(runId, 1), restId: deriveId(runId, 2) };
    news = (await prepareRun(deps, schedule, { ...input, queuedAt: isoTimestamp(nowMs) }, ids)).plan;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return await deps.dueSchedules.settle(schedule, { ...outcomeOf("refused", dueMs, nowMs), ...after });
  }
  const settlement = { ...outcomeOf("started", dueMs, nowMs), ...after, lastRunId: runId };
  // Files of a run that is not created are left to the sweeper: another invocation may have created it.
  return await deps.dueSchedules.settle(schedule, settlement, news);
}

/** An occurrence has one run, however often it is tried, which was created at the time of the occurrence. */
function runIdOf({ id }: Pick<Schedule, "id">, dueMs: number): string {
  return idAtTime(id, dueMs);
}

/** The owner may correct what is refused. */
function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && (error.code === "conflict" || error.code === "not_found");
}

async function keyProblem(
  { apiKeys }: Pick<FireDeps, "apiKeys">,
  { keyId }: Schedule,
  nowMs: number,
): Promise<ScheduleStop | undefined> {
  if (keyId === null) return undefined;
  const key = await apiKeys.find(keyId);
  if (key === undefined || key.revokedAt !== null) return "key_revoked";
  return isUsable(key, nowMs) ? undefined : "key_expired";
}

async function isFree({ runs }: Pick<FireDeps, "runs">, schedule: Schedule): Promise<boolean> {
  const { organizationId, overlap, lastRunId } = schedule;
  if (overlap === "allow" || lastRunId === null) return true;
  const run = await runs.find(organizationId, lastRunId);
  return run === undefined || isTerminal(run.status);
}

async function stop(
  { dueSchedules }: Pick<FireDeps, "dueSchedules">,
  schedule: Schedule,
  disabledReason: ScheduleStop,
  nowMs: number,
): Promise<Exclude<SettleOutcome, { kind: "missing" }>> {
  const at = isoTimestamp(nowMs);
  const dueMs = Date.parse(schedule.waitingDueAt ?? schedule.dueAt ?? at);
  const outcome = await dueSchedules.settle(schedule, {
    ...outcomeOf("refused", dueMs, nowMs),
    isEnabled: false,
    disabledReason,
    updatedAt: at,
    dueAt: null,
    waitingDueAt: null,
  });
  return outcome.kind === "missing" ? { kind: "changed" } : outcome;
}
