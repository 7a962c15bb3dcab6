import { schedulesMax } from "../../vocabulary/schedules.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { createdAtOfId } from "../derive-id.ts";
import { limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { InputFile } from "../run/create/input-files.ts";
import { keepFiles } from "./keep-files.ts";
import { planOf } from "./plan.ts";
import { requireRunnable, requireTarget, requireTimes } from "./require-schedule.ts";
import type { Schedule } from "./schedule.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

type ScheduleSettings = Pick<
  Schedule,
  | "name"
  | "workflowId"
  | "cron"
  | "everyMinutes"
  | "timeZone"
  | "startsAt"
  | "endsAt"
  | "machineId"
  | "poolIds"
  | "inputValues"
  | "metadata"
  | "isEnabled"
  | "overlap"
>;

export interface CreateScheduleInput
  extends Partial<Omit<ScheduleSettings, "workflowId">>,
    Pick<ScheduleSettings, "workflowId"> {
  readonly files?: readonly InputFile[];
}

const defaults = {
  name: "",
  cron: null,
  everyMinutes: null,
  timeZone: "UTC",
  startsAt: null,
  endsAt: null,
  machineId: null,
  poolIds: [],
  inputValues: {},
  files: [],
  contents: null,
  metadata: {},
  isEnabled: true,
  disabledReason: null,
  overlap: "skip",
  lastDueAt: null,
  lastFiredAt: null,
  lastOutcome: null,
  lastRunId: null,
  dueAt: null,
  waitingDueAt: null,
  missed: null,
} as const satisfies Partial<Schedule>;

/**
 * @throws {InvalidInput} for times, inputs or secrets that do not fit.
 * @throws {DomainError} `insufficient_scope`, `not_found` for what it names, or `limit_reached`.
 * @throws {AlreadyOnRecord}
 */
export async function createSchedule(
  deps: ScheduleDeps,
  caller: Caller,
  { files, ...settings }: CreateScheduleInput,
  idempotency?: Idempotency,
): Promise<Schedule> {
  requireScope(caller, "write");
  const { organizationId, userId, keyId } = caller;
  return await keepFiles(deps, { organizationId }, files, idempotency, async (id, kept, under) => {
    const createdAt = createdAtOfId(id);
    const schedule: Schedule = {
      ...defaults,
      ...settings,
      ...kept,
      id,
      organizationId,
      userId,
      keyId,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
      revision: 1,
      edition: 0,
    };
    requireTarget(schedule);
    requireTimes(schedule, deps.clock.now());
    await requireRunnable(deps, schedule);
    const planned = { ...schedule, ...planOf(schedule, deps.clock.now()) };
    const outcome = await deps.schedules.create(planned, under);
    if (outcome.kind === "limit_reached") throw limitReached("schedules", schedulesMax);
    return planned;
  });
}
