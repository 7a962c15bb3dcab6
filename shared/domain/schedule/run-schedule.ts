import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type CreateRunInput, createRun } from "../run/create/create-run.ts";
import type { Run } from "../run/run.ts";
import type { RunDeps } from "../run/run-deps.ts";
import type { UnspillDeps } from "../spill.ts";
import { readFiles } from "./keep-files.ts";
import type { Schedule } from "./schedule.ts";
import type { ScheduleStore } from "./schedule-store.ts";

export interface RunScheduleDeps extends RunDeps {
  readonly schedules: Pick<ScheduleStore, "find">;
}

/**
 * Creates a run of the caller's own now, also of a schedule that is switched off. Its times are not affected.
 * @throws {InvalidInput} @throws {DomainError} `not_found`, and as `createRun`. @throws {AlreadyOnRecord}
 * @throws {ChangedTooOften} when the files have been replaced since the schedule was read.
 */
export async function runSchedule(
  deps: RunScheduleDeps,
  caller: Caller,
  { scheduleId }: { readonly scheduleId: string },
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const schedule = await deps.schedules.find(caller.organizationId, scheduleId);
  if (schedule === undefined) throw notFound("schedule", scheduleId);
  const input = await runInputOf(deps, schedule);
  if (input === undefined) throw new ChangedTooOften("the schedule");
  return await createRun(deps, caller, input, idempotency);
}

/** Returns undefined when the files have been replaced since the schedule was read. */
export async function runInputOf(deps: UnspillDeps, schedule: Schedule): Promise<CreateRunInput | undefined> {
  const { id: scheduleId, workflowId, machineId, poolIds, inputValues, metadata } = schedule;
  const files = await readFiles(deps, schedule);
  if (files === undefined) return undefined;
  return {
    scheduleId,
    workflowId,
    inputValues,
    metadata,
    poolIds,
    files,
    ...(machineId !== null && { machineId }),
  };
}
