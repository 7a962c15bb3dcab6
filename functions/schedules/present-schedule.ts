import type { Schedule as WireSchedule } from "../../shared/contract/schedule.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import { nextOccurrences } from "../../shared/domain/schedule/occurrences.ts";
import type { Schedule } from "../../shared/domain/schedule/schedule.ts";
import { nextTimesShown } from "../../shared/vocabulary/schedules.ts";

export function presentSchedule(schedule: Schedule, nowMs: number): WireSchedule {
  const next = schedule.isEnabled ? nextOccurrences(schedule, nowMs, nextTimesShown) : [];
  return {
    id: schedule.id,
    name: schedule.name,
    cron: schedule.cron,
    every_minutes: schedule.everyMinutes,
    time_zone: schedule.timeZone,
    workflow_id: schedule.workflowId,
    machine_id: schedule.machineId,
    pool_ids: [...schedule.poolIds],
    input_values: { ...schedule.inputValues },
    files: schedule.files.map((file) => ({
      filename: file.filename,
      size_bytes: file.sizeBytes,
      target_path: file.targetPath,
      cleanup_imports_after_run: file.cleanupImportsAfterRun,
    })),
    metadata: { ...schedule.metadata },
    is_enabled: schedule.isEnabled,
    disabled_reason: schedule.disabledReason,
    overlap: schedule.overlap,
    starts_at: schedule.startsAt,
    ends_at: schedule.endsAt,
    next_at: next.map(isoTimestamp),
    last_due_at: schedule.lastDueAt,
    last_fired_at: schedule.lastFiredAt,
    last_outcome: schedule.lastOutcome,
    last_run_id: schedule.lastRunId,
    user_id: schedule.userId,
    organization_id: schedule.organizationId,
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
  };
}
