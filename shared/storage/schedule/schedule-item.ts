import type { JsonObject } from "../../domain/json.ts";
import type { MissedOccurrences, Schedule, ScheduleFile } from "../../domain/schedule/schedule.ts";
import { occurrenceOutcomes, overlaps, scheduleStops } from "../../vocabulary/schedules.ts";
import { createdAttributes, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { scheduleKey } from "../table/keys.ts";
import {
  editedFields,
  flag,
  json,
  metadataField,
  number,
  oneOf,
  orElse,
  orNull,
  row,
  text,
  texts,
} from "../table/row.ts";
import { spilled } from "../table/spilled-attributes.ts";

export const scheduleRow = row<Schedule>("schedule", {
  ...editedFields,
  userId: text,
  keyId: orNull(text),
  name: text,
  cron: orNull(text),
  everyMinutes: orNull(number),
  timeZone: text,
  startsAt: orNull(text),
  endsAt: orNull(text),
  workflowId: text,
  machineId: orNull(text),
  poolIds: texts,
  inputValues: json<JsonObject>(),
  files: orElse(json<readonly ScheduleFile[]>(), []),
  contents: orNull(spilled),
  metadata: metadataField,
  isEnabled: flag,
  disabledReason: orNull(oneOf(scheduleStops)),
  overlap: oneOf(overlaps),
  lastDueAt: orNull(text),
  lastFiredAt: orNull(text),
  lastOutcome: orNull(oneOf(occurrenceOutcomes)),
  lastRunId: orNull(text),
  missed: orNull(json<MissedOccurrences>()),
  updatedAt: text,
});

export const parseSchedule = scheduleRow.parse;

export function scheduleItem(schedule: Schedule): Item & Key {
  const { organizationId, id } = schedule;
  return {
    ...scheduleKey(organizationId, id),
    ...scheduleRow.write(schedule),
    ...createdAttributes(schedule, { list: listPartitions.schedules(organizationId) }),
  };
}
