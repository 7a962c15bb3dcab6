import * as z from "zod";
import {
  everyMinutesMax,
  nextTimesShown,
  occurrenceOutcomes,
  overlaps,
  scheduleStops,
} from "../vocabulary/schedules.ts";
import {
  afterQuery,
  createdQuery,
  OrganizationId,
  pageOf,
  pageQuery,
  refuseSkipBesideAfter,
  refuseValue,
  skipOrAfter,
  Timestamp,
  Uuid,
} from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { both, has, neither, refusing } from "./fields/exclusions.ts";
import { metadataFields } from "./fields/metadata.ts";
import { Parameters } from "./fields/parameters.ts";
import { anyOf, queryBoolean } from "./fields/query-values.ts";
import { name, text } from "./fields/text.ts";
import { FileInput, FileInputs } from "./run/file-inputs.ts";

const Name = name(0, 255);

/** What the fields mean is checked with the time zone; seconds, years and nicknames as `@daily` are not taken. */
const Cron = example(
  z
    .string()
    .max(255)
    .regex(
      /^[\dA-Za-z*,/#?-]+(?: +[\dA-Za-z*,/#?-]+){4}$/,
      "String should be five fields, minute to day of the week, such as 0 6 * * 1-5",
    ),
  "0 6 * * 1-5",
);
const EveryMinutes = example(z.int().min(1).max(everyMinutesMax), 15);
const TimeZone = example(
  z
    .string()
    .regex(
      /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/,
      "String should be IANA's name of a time zone, such as Europe/Lisbon",
    )
    .max(64),
  "Europe/Lisbon",
);
const PoolIds = z
  .array(Uuid)
  .max(20)
  .transform((ids) => [...new Set(ids)]);

const Overlap = z
  .enum(overlaps)
  .describe("The fate of a time of a schedule while the run of an earlier one has not ended.");

const times = {
  cron: Cron.nullable()
    .optional()
    .describe(
      "The times in the five fields of cron: minute, hour, day of the month, month, day of the week. In place of `every_minutes`.",
    ),
  every_minutes: EveryMinutes.nullable()
    .optional()
    .describe(
      "The time between two runs in minutes, counted from `starts_at`, or else from the schedule's creation. In place of `cron`.",
    ),
  time_zone: TimeZone.optional().describe(
    "The time zone in which `cron` is read, by its name in the IANA database. Default `UTC`.",
  ),
  starts_at: Timestamp.nullable()
    .optional()
    .describe("The schedule starts no run before. Default null: at once."),
  ends_at: Timestamp.nullable()
    .optional()
    .describe("The schedule starts no run from then on; later than `starts_at`. Default null: never."),
};

const ofRuns = {
  machine_id: Uuid.nullable()
    .optional()
    .describe("The machine that the runs wait for. Default null: any, or one that is in all `pool_ids`."),
  pool_ids: PoolIds.optional().describe(
    "Pools that the runs' machine must be in, all of them; in place of `machine_id`. Default: none.",
  ),
  input_values: Parameters.optional().describe(
    "The runs' inputs, by name. A name that the workflow's prompt has as `{$name}` is a secret, and refused: give secrets to a machine or a pool. Default: none.",
  ),
  files: FileInputs.optional().describe(
    "Files that are passed to each run, kept with the schedule; replaced as a whole. Default: none.",
  ),
};

const others = {
  is_enabled: z.boolean().optional().describe("Whether the schedule starts runs. Default true."),
  overlap: Overlap.optional().describe(
    "The fate of a time while the run of an earlier one has not ended: it is left out (`skip`), its run starts after that one's end (`queue`, for one at most), or at once (`allow`). Default `skip`.",
  ),
};

interface Given {
  readonly cron?: string | null | undefined;
  readonly every_minutes?: number | null | undefined;
  readonly machine_id?: string | null | undefined;
  readonly pool_ids?: readonly string[] | undefined;
  readonly starts_at?: string | null | undefined;
  readonly ends_at?: string | null | undefined;
}

export const CreateScheduleBody = z
  .strictObject({
    name: Name.optional().describe("The schedule's name, for people. Default: empty."),
    workflow_id: Uuid.describe("The workflow that the runs execute."),
    ...times,
    ...ofRuns,
    ...others,
    metadata: metadataFields.created,
  })
  .superRefine(requireTimes)
  .superRefine(requireFit)
  .meta({
    ...refusing(
      both(has("cron"), has("every_minutes")),
      neither(has("cron"), has("every_minutes")),
      bothTargets(),
    ),
    says: ["`ends_at` is later than `starts_at`."],
  })
  .describe(
    "A workflow to run again and again, with the times, the inputs and the machine or pools of its runs.",
  );
export type CreateScheduleBody = z.infer<typeof CreateScheduleBody>;

export const UpdateScheduleBody = z
  .strictObject({
    name: Name.optional().describe("The schedule's new name, for people."),
    workflow_id: Uuid.optional().describe("The workflow that the runs execute from now on."),
    ...times,
    ...ofRuns,
    ...others,
    metadata: metadataFields.changed,
  })
  .superRefine(requireFit)
  .meta({
    ...refusing(both(has("cron"), has("every_minutes")), bothTargets()),
    says: ["`ends_at` is later than `starts_at`."],
  })
  .describe(
    "Changes of a schedule: only the fields provided are changed. `cron` takes the place of a stored `every_minutes` only beside `every_minutes: null`, and the other way round, and the schedule keeps one of the two; `machine_id` that of `pool_ids` only beside `pool_ids: []`, and the other way round beside `machine_id: null`.",
  );
export type UpdateScheduleBody = z.infer<typeof UpdateScheduleBody>;

function bothTargets() {
  const pools = {
    required: ["pool_ids"],
    properties: { pool_ids: { type: "array", items: { type: "string" }, minItems: 1 } },
  };
  return both(has("machine_id"), pools);
}

function requireTimes(
  { cron = null, every_minutes: every = null }: Given,
  context: z.core.$RefinementCtx,
): void {
  if (cron !== null || every !== null) return;
  refuseValue(context, "a schedule has times: send cron or every_minutes", ["cron"]);
}

/** What is stored is checked together with a change, in the domain. */
function requireFit(body: Given, context: z.core.$RefinementCtx): void {
  if (body.cron != null && body.every_minutes != null) {
    refuseValue(context, "cron and every_minutes exclude each other; send one of the two", ["every_minutes"]);
  }
  if (body.machine_id != null && (body.pool_ids ?? []).length > 0) {
    refuseValue(context, "machine_id and pool_ids exclude each other; send one of the two", ["pool_ids"]);
  }
  if (body.starts_at != null && body.ends_at != null && body.starts_at >= body.ends_at) {
    refuseValue(context, "ends_at is later than starts_at", ["ends_at"]);
  }
}

export const SchedulesQuery = z
  .strictObject({
    ...pageQuery,
    ...afterQuery,
    ...createdQuery,
    search: example(text(1, 255).optional(), "invoices").describe(
      "Only schedules with this text in their id or name are listed, ignoring case.",
    ),
    workflow_id: anyOf(Uuid, "Only schedules of this workflow are listed."),
    is_enabled: queryBoolean
      .optional()
      .describe(
        "Only schedules that are switched on are listed, or with `false` those that are switched off.",
      ),
    metadata: metadataFields.query,
  })
  .superRefine(refuseSkipBesideAfter)
  .meta({ says: [skipOrAfter] });
export type SchedulesQuery = z.infer<typeof SchedulesQuery>;

export const ScheduleFile = FileInput.omit({
  content: true,
  target_path: true,
  cleanup_imports_after_run: true,
})
  .extend({
    size_bytes: z.int().min(0).describe("The file's size in bytes."),
    target_path: z
      .string()
      .nullable()
      .describe("The file's place on the desktop, as it was given; null for the default."),
    cleanup_imports_after_run: z
      .boolean()
      .describe("Whether the file is removed from the desktop after a run's last action."),
  })
  .describe("A file that is passed to each run of a schedule; its content is not returned.");

const DisabledReason = z
  .enum(scheduleStops)
  .describe("The reason for which the service has switched a schedule off.");

export const Schedule = z
  .strictObject({
    id: z.uuid().describe("The schedule's id."),
    name: example(z.string(), "Invoices, every morning").describe("The schedule's name, for people."),
    cron: Cron.nullable().describe("The times in the five fields of cron; null with `every_minutes`."),
    every_minutes: EveryMinutes.nullable().describe(
      "The time between two runs in minutes; null with `cron`.",
    ),
    time_zone: example(z.string(), "Europe/Lisbon").describe("The time zone in which `cron` is read."),
    workflow_id: z.guid().describe("The workflow that the runs execute."),
    machine_id: z.guid().nullable().describe("The machine that the runs wait for; null if they name none."),
    pool_ids: z.array(z.guid()).describe("The pools that the runs' machine must be in, all of them."),
    input_values: example(z.record(z.string(), z.unknown()), { customer: "Ada" }).describe(
      "The runs' inputs, by name.",
    ),
    files: z.array(ScheduleFile).describe("Files that are passed to each run, without their contents."),
    metadata: metadataFields.answered,
    is_enabled: z.boolean().describe("Whether the schedule starts runs."),
    disabled_reason: DisabledReason.nullable().describe(
      "The reason for which the service has switched the schedule off; null if it is on, or a person has switched it off.",
    ),
    overlap: Overlap.describe("The fate of a time while the run of an earlier one has not ended."),
    starts_at: z.iso.datetime().nullable().describe("The schedule starts no run before; null for no bound."),
    ends_at: z.iso
      .datetime()
      .nullable()
      .describe("The schedule starts no run from then on; null for no bound."),
    next_at: z
      .array(z.iso.datetime())
      .max(nextTimesShown)
      .describe(`The next times, ${nextTimesShown} at most; empty if the schedule is switched off or over.`),
    last_due_at: z.iso
      .datetime()
      .nullable()
      .describe("The last time that has come, whatever became of it; null before the first."),
    last_fired_at: z.iso
      .datetime()
      .nullable()
      .describe("The time at which the service dealt with `last_due_at`; null before the first."),
    last_outcome: z
      .enum(occurrenceOutcomes)
      .nullable()
      .describe(
        "The fate of `last_due_at`: its run was created (`started`), or waits for the end of the one before (`queued`); it was left out for that one (`skipped`); the service came more than 60 minutes late (`missed`); or the run could not be created (`refused`). Null before the first.",
      ),
    last_run_id: z
      .uuid()
      .nullable()
      .describe("The last run that a time of the schedule has started; null before the first."),
    user_id: z.guid().describe("The user whose runs they are."),
    organization_id: OrganizationId.describe("The organization that the schedule belongs to."),
    created_at: z.iso.datetime().describe("Time at which the schedule was created."),
    updated_at: z.iso.datetime().describe("Time at which the schedule was last changed, or switched off."),
  })
  .describe("Times at which the service starts runs of a workflow by itself.");
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleList = pageOf(Schedule).describe("A page of schedules, newest first.");
export type ScheduleList = z.infer<typeof ScheduleList>;
