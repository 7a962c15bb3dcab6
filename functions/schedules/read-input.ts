import type {
  CreateScheduleBody,
  SchedulesQuery,
  UpdateScheduleBody,
} from "../../shared/contract/schedule.ts";
import type { CreateScheduleInput } from "../../shared/domain/schedule/create-schedule.ts";
import type { ScheduleFilter } from "../../shared/domain/schedule/schedule-store.ts";
import type { UpdateScheduleInput } from "../../shared/domain/schedule/update-schedule.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { inputFiles } from "../../shared/http/request/input-files.ts";

export function createInput({
  workflow_id: workflowId,
  files,
  ...body
}: CreateScheduleBody): CreateScheduleInput {
  return { ...given({ ...inCamelCase(body), files: files && inputFiles(files) }), workflowId };
}

export function updateInput(scheduleId: string, { files, ...body }: UpdateScheduleBody): UpdateScheduleInput {
  return { ...given({ ...inCamelCase(body), files: files && inputFiles(files) }), scheduleId };
}

export function scheduleFilter(query: SchedulesQuery): ScheduleFilter {
  return given({
    search: query.search,
    workflowId: query.workflow_id,
    isEnabled: query.is_enabled,
    metadata: query.metadata,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
