import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { type Edit, requireEdition } from "../entity/edition.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { changedMetadata, type MetadataChange } from "../metadata/metadata.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { CreateScheduleInput } from "./create-schedule.ts";
import { dropContents, keepFiles } from "./keep-files.ts";
import { planOf } from "./plan.ts";
import { requireRunnable, requireTarget, requireTimes } from "./require-schedule.ts";
import type { Schedule } from "./schedule.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";
import type { ScheduleChange } from "./schedule-store.ts";

export interface UpdateScheduleInput extends Partial<Omit<CreateScheduleInput, "metadata">>, Edit {
  readonly scheduleId: string;
  readonly metadata?: MetadataChange;
}

/**
 * The run is checked again when a part of it changes, and when the schedule is switched on.
 * @throws {InvalidInput} as `createSchedule`, or for too many pairs of metadata.
 * @throws {DomainError} `insufficient_scope`, `not_found`, also for what it names, or `changed_meanwhile`.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function updateSchedule(
  deps: ScheduleDeps,
  caller: Caller,
  { scheduleId, files, metadata, ifEdition, ...fields }: UpdateScheduleInput,
  idempotency?: Idempotency,
): Promise<Schedule> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const place = { organizationId, scheduleId };
  return await keepFiles(deps, place, files, idempotency, async (_, kept, under) => {
    return await untilWritten(deps, {
      what: "the schedule",
      read: () => deps.schedules.find(organizationId, scheduleId),
      decide: async (before) => {
        if (before === undefined) throw notFound("schedule", scheduleId);
        const edit = { ifEdition };
        requireEdition(before, edit);
        const nowMs = deps.clock.now();
        const change: ScheduleChange = {
          ...fields,
          ...kept,
          ...(metadata !== undefined && { metadata: changedMetadata(before.metadata, metadata) }),
          ...(fields.isEnabled !== undefined && switched(before, caller, fields.isEnabled)),
          updatedAt: isoTimestamp(nowMs),
        };
        const after = { ...before, ...change };
        requireTarget(after);
        requireTimes(after, nowMs);
        if (changesRun(fields)) await requireRunnable(deps, after);
        const plan = changesTimes(before, after) ? planOf(after, nowMs) : {};
        const outcome = await deps.schedules.update(
          before,
          { ...change, ...plan },
          { idempotency: under, edit },
        );
        if (outcome.kind === "changed") return overtaken;
        if (outcome.kind === "not_found") throw notFound("schedule", scheduleId);
        if (kept !== undefined) await dropContents(deps, before.contents);
        return outcome.schedule;
      },
    });
  });
}

const ofTimes = ["isEnabled", "cron", "everyMinutes", "timeZone", "startsAt", "endsAt"] as const;

/** A change of anything else leaves an occurrence that is due as it is. */
function changesTimes(before: Schedule, after: Schedule): boolean {
  return ofTimes.some((name) => before[name] !== after[name]);
}

function changesRun({
  workflowId,
  machineId,
  poolIds,
  inputValues,
  isEnabled,
}: Partial<CreateScheduleInput>) {
  return (
    isEnabled === true || [workflowId, machineId, poolIds, inputValues].some((each) => each !== undefined)
  );
}

/** A schedule that stopped with its key goes on as the one's who switches it on again: runs have a creator. */
function switched(
  { disabledReason }: Schedule,
  { userId, keyId }: Caller,
  isEnabled: boolean,
): Pick<ScheduleChange, "disabledReason" | "userId" | "keyId"> {
  const isKeyGone = disabledReason === "key_revoked" || disabledReason === "key_expired";
  return { disabledReason: null, ...(isEnabled && isKeyGone && { userId, keyId }) };
}
