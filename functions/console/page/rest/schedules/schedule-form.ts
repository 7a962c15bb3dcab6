import type { Schedule, UpdateScheduleBody } from "../../../../../shared/contract/schedule.ts";
import { everyMinutesMax, overlaps } from "../../../../../shared/vocabulary/schedules.ts";
import type { FormSchema } from "../../parts/form/schema-fields.ts";

/** @param timeZone is what a new schedule has at first. */
export function scheduleForm(timeZone?: string): FormSchema {
  return {
    required: ["time_zone", "overlap"],
    properties: {
      name: { type: "string", title: "Name" },
      cron: {
        type: "string",
        title: "Cron",
        description:
          "Minute, hour, day of the month, month, day of the week: 0 6 * * 1-5 is six on working days.",
      },
      every_minutes: {
        type: "integer",
        title: "Or every so many minutes",
        minimum: 1,
        maximum: everyMinutesMax,
      },
      time_zone: {
        type: "string",
        title: "Time zone",
        description: "A name such as Europe/Lisbon, in which cron is read.",
        ...(timeZone !== undefined && { default: timeZone }),
      },
      overlap: {
        type: "string",
        enum: overlaps,
        default: "skip",
        title: "While an earlier run has not ended",
        description: "skip leaves the time out, queue starts one run after the other, allow starts at once.",
      },
      starts_at: { type: "string", title: "Not before", description: "A time such as 2027-01-01T00:00:00Z." },
      ends_at: {
        type: "string",
        title: "Not from then on",
        description: "A time such as 2027-12-31T00:00:00Z.",
      },
      input_values: { type: "object", title: "Inputs", description: "JSON: what each run gets, by name." },
    },
  };
}

type FormTexts = Readonly<Record<keyof ReturnType<typeof scheduleForm>["properties"], string>>;

export function textsOf(schedule: Schedule): FormTexts {
  return {
    name: schedule.name,
    cron: schedule.cron ?? "",
    every_minutes: schedule.every_minutes === null ? "" : String(schedule.every_minutes),
    time_zone: schedule.time_zone,
    overlap: schedule.overlap,
    starts_at: schedule.starts_at ?? "",
    ends_at: schedule.ends_at ?? "",
    input_values: JSON.stringify(schedule.input_values, null, 2),
  };
}

/** An emptied time is none, and emptied inputs are no inputs. */
export function changeOf(values: Readonly<Record<string, unknown>>): UpdateScheduleBody {
  const change = Object.entries(values).map(([name, value]) => {
    if (name === "input_values") return [name, value ?? {}];
    return [name, name !== "name" && value === "" ? null : value];
  });
  return Object.fromEntries(change) as UpdateScheduleBody;
}

/** The times in words. */
export function timesOf({ cron, every_minutes: every, time_zone }: Schedule): string {
  if (cron !== null) return `${cron} (${time_zone})`;
  return every === 1 ? "every minute" : `every ${every} minutes`;
}

/** The reason why the schedule starts no runs, or `active`. */
export function stateOf({ is_enabled, disabled_reason, next_at }: Schedule): string {
  if (disabled_reason !== null) return disabled_reason;
  if (!is_enabled) return "off";
  return next_at.length === 0 ? "over" : "active";
}
