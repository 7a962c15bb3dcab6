import type { JsonObject } from "../../domain/json.ts";
import type { MissedOccurrences, Schedule, ScheduleFile } from "../../domain/schedule/schedule.ts";
import { occurrenceOutcomes, overlaps, scheduleStops } from "../../vocabulary/schedules.ts";
import type { Change } from "../table/expression.ts";
import { createdAttributes, duePartition, dueSortKey, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { hexDigest } from "../table/key-parts.ts";
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
  dueAt: orNull(text),
  waitingDueAt: orNull(text),
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
    ...(isPlanned(schedule) ? dueAttributes(schedule) : {}),
  };
}

/** A change of the plan moves the row in the index of what is due. */
export function scheduleChange(before: Schedule, change: Partial<Schedule>): Change {
  const isMoved = change.dueAt !== undefined || change.waitingDueAt !== undefined;
  return scheduleRow.change(change, isMoved ? dueAttributes({ ...before, ...change }) : {});
}

function isPlanned({ dueAt, waitingDueAt }: Schedule): boolean {
  return dueAt !== null || waitingDueAt !== null;
}

/** A run that waits is due each minute. An organization's runs write the same rows, so it is in one shard. */
function dueAttributes({ organizationId, id, dueAt, waitingDueAt }: Schedule): Item {
  const at = waitingDueAt ?? dueAt;
  if (at === null) return { due_pk: null, due_sk: null };
  return {
    due_pk: duePartition("DUE#SCHEDULE", hexDigest(organizationId)),
    due_sk: dueSortKey(Date.parse(at), id),
  };
}
