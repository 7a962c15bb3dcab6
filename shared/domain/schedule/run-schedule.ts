import type { ScheduleStop } from "../../vocabulary/schedules.ts";
import { type ApiKey, type ApiKeyStore, isUsable } from "../access/api-key.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput } from "../invalid-input.ts";
import { type CreateRunInput, createRun, createRunOnce } from "../run/create/create-run.ts";
import type { Run } from "../run/run.ts";
import type { RunDeps } from "../run/run-deps.ts";
import type { UnspillDeps } from "../spill.ts";
import { readFiles } from "./keep-files.ts";
import type { Schedule } from "./schedule.ts";
import { scheduleChanges, scheduleNotFound } from "./schedule-deps.ts";
import type { ScheduleStore } from "./schedule-store.ts";

export interface RunScheduleDeps extends RunDeps {
  readonly schedules: Pick<ScheduleStore, "find">;
}

/**
 * Creates a run of the caller's own now, also of a schedule that is switched off. Its times are not affected.
 * @throws {InvalidInput} @throws {DomainError} `not_found`, and as `createRun`. @throws {AlreadyOnRecord}
 */
export async function runSchedule(
  deps: RunScheduleDeps,
  caller: Caller,
  { scheduleId }: { readonly scheduleId: string },
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const schedule = await deps.schedules.find(caller.organizationId, scheduleId);
  if (schedule === undefined) throw scheduleNotFound(scheduleId);
  return await createRun(deps, caller, await inputOf(deps, schedule), idempotency);
}

export interface StartRunDeps extends RunDeps {
  readonly apiKeys: Pick<ApiKeyStore, "find">;
}

export type StartedRun =
  | { readonly kind: "started"; readonly run: Run }
  /** The schedule can start no run any more, and is to be switched off. */
  | { readonly kind: "stopped"; readonly reason: ScheduleStop }
  /** This run cannot be created, for a reason that the schedule's owner may mend. */
  | { readonly kind: "refused"; readonly message: string };

/** Creates the run of an occurrence, as its creator's: once for each id, however often it is repeated. */
export async function startRun(deps: StartRunDeps, schedule: Schedule, runId: string): Promise<StartedRun> {
  const { keyId } = schedule;
  const key = keyId === null ? undefined : await deps.apiKeys.find(keyId);
  if (keyId !== null && (key === undefined || !isUsable(key, deps.clock.now()))) {
    return { kind: "stopped", reason: reasonOf(key) };
  }
  try {
    const input = await inputOf(deps, schedule);
    return { kind: "started", run: await createRunOnce(deps, creatorOf(schedule), input, runId) };
  } catch (error) {
    const ending = endingOf(error);
    if (ending === undefined) throw error;
    return ending;
  }
}

function reasonOf(key: ApiKey | undefined): ScheduleStop {
  return key === undefined || key.revokedAt !== null ? "key_revoked" : "key_expired";
}

function creatorOf({ organizationId, userId, keyId }: Schedule): Caller {
  const kind = keyId === null ? "session" : "api_key";
  return { kind, organizationId, userId, keyId, principal: keyId ?? userId, scopes: ["write"] };
}

/** @throws {ChangedTooOften} when the files have been replaced since the schedule was read. */
async function inputOf(deps: UnspillDeps, schedule: Schedule): Promise<CreateRunInput> {
  const { workflowId, machineId, poolIds, inputValues, metadata } = schedule;
  const files = await readFiles(deps, schedule);
  if (files === undefined) throw scheduleChanges();
  return { workflowId, inputValues, poolIds, metadata, files, ...(machineId !== null && { machineId }) };
}

const stops = [
  ["workflow_id", "workflow_deleted"],
  ["machine_id", "machine_deleted"],
  ["pool_id", "pool_deleted"],
] as const satisfies readonly (readonly [string, ScheduleStop])[];

function endingOf(error: unknown): StartedRun | undefined {
  if (error instanceof InvalidInput) return { kind: "refused", message: error.message };
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === "conflict") return { kind: "refused", message: error.message };
  if (error.code !== "not_found") return undefined;
  // A missing resource is named as `creationError` names it.
  const { details } = error;
  const stop = stops.find(([name]) => typeof details === "object" && details !== null && name in details);
  return stop === undefined
    ? { kind: "refused", message: error.message }
    : { kind: "stopped", reason: stop[1] };
}
