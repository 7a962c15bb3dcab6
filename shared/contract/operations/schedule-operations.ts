import { Run } from "../run/run.ts";
import {
  CreateScheduleBody,
  Schedule,
  ScheduleList,
  SchedulesQuery,
  UpdateScheduleBody,
} from "../schedule.ts";
import { defineOperations, deleted, editing, largeBodyBytesMax, reading, writing } from "./operation.ts";

const bodyBytesMax = largeBodyBytesMax;

export const scheduleOperations = defineOperations("Schedules", [
  {
    ...reading,
    id: "listSchedules",
    path: "/v1/schedules",
    summary: "Lists schedules",
    description:
      "The list is sorted newest first. `search` is a substring of id or name, whatever the case; filters may be combined.",
    query: SchedulesQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: ScheduleList } },
    refusals: { 413: "The page has more than 5 MB: lower `limit`." },
  },
  {
    ...writing("POST"),
    id: "createSchedule",
    isTagged: true,
    writes: "schedule",
    path: "/v1/schedules",
    summary: "Creates a schedule",
    description:
      "The service starts a run at each time, as the user and with the API key that made the schedule. `cron` has five fields and is read in `time_zone`, else `every_minutes` counts; at least a minute is between two times. Where clocks change, a fixed local time starts one run: in place of a time that is skipped at the first one after it, and of two equal times at the first; a pattern with `*` or a step in minute or hour goes on through a repeated hour and leaves a skipped one out. A time is met up to 60 minutes late, and after that it is `missed`, with the event `schedule.missed`. The schedule is switched off with a `disabled_reason` and the event `schedule.disabled` when it is due and its key is revoked or expired, or its workflow, machine or one of its pools is deleted. Inputs are checked as those of a run; secrets among them are refused. An organization has at most 500 schedules.",
    body: CreateScheduleBody,
    bodyBytesMax,
    example: {
      name: "Invoices, every morning",
      workflow_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      cron: "0 6 * * 1-5",
      time_zone: "Europe/Lisbon",
      input_values: { customer: "Miller" },
    },
    responses: { 201: { description: "The schedule, with its next times.", schema: Schedule } },
    refusals: {
      404: "The workflow, machine or pool named is not there.",
      409: "`limit_reached`: the organization has 500 schedules.",
    },
  },
  {
    ...reading,
    id: "getSchedule",
    isTagged: true,
    path: "/v1/schedules/{schedule_id}",
    summary: "Reads one schedule",
    responses: { 200: { description: "The schedule, with its next times.", schema: Schedule } },
  },
  {
    ...editing("PATCH"),
    id: "updateSchedule",
    isTagged: true,
    writes: "schedule",
    path: "/v1/schedules/{schedule_id}",
    summary: "Updates a schedule",
    description:
      "Only the fields provided are changed. `cron` takes the place of a stored `every_minutes` only beside `every_minutes: null`, and the other way round; `machine_id` that of `pool_ids` only beside `pool_ids: []`, and the other way round beside `machine_id: null`. `is_enabled` clears `disabled_reason`; who switches a schedule on that stopped with its API key is the user of its runs from then on, with the key of the request.",
    body: UpdateScheduleBody,
    bodyBytesMax,
    example: { cron: null, every_minutes: 30 },
    responses: { 200: { description: "The schedule, with its next times.", schema: Schedule } },
    refusals: { 404: "`not_found`: there is no such schedule, workflow, machine or pool." },
  },
  {
    ...editing("DELETE"),
    id: "deleteSchedule",
    writes: "schedule",
    path: "/v1/schedules/{schedule_id}",
    summary: "Deletes a schedule",
    description:
      "The schedule is gone at once for every reader and starts no run any more; its files are removed in the background. Its runs stay.",
    responses: deleted,
  },
  {
    ...writing("POST"),
    id: "runSchedule",
    writes: "run",
    path: "/v1/schedules/{schedule_id}/run-now",
    summary: "Starts a run of a schedule now",
    description:
      "The run is the caller's own, as if it was created with the schedule's workflow, inputs, files, machine and pools. It starts whether or not the schedule is switched on and an earlier run has ended, and leaves the schedule's times and its `last_` fields as they are.",
    responses: { 201: { description: "The run, which waits.", schema: Run } },
    refusals: { 404: "The schedule, or its workflow, machine or pool, is not there." },
  },
]);
