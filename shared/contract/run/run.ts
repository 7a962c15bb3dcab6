import * as z from "zod";
import { runErrorMeanings } from "../../vocabulary/run-error-codes.ts";
import { runSortModes, runStatuses, waitingReasons } from "../../vocabulary/runs.ts";
import {
  createdQuery,
  fieldsQuery,
  includeQuery,
  listOf,
  omittedFields,
  pageQuery,
  Uuid,
} from "../fields/common.ts";
import { queryBoolean } from "../fields/query-values.ts";
import { text } from "../fields/text.ts";
import { IncludedPool } from "../machine.ts";
import { IncludedMachine } from "../pool.ts";
import { Executor, IncludedWorkflow } from "../workflow.ts";
import { RunOverrides } from "./run-bodies.ts";

export const RunStatus = z.enum(runStatuses);

export const RunPath = z.strictObject({ run_id: Uuid });

const include = includeQuery("workflow", "machine", "machine.pools").optional();

export const RunQuery = z.strictObject({ include });

export const WaitingReason = z.enum(waitingReasons);

/** How far the service is with a run. */
export const RunProgress = z.strictObject({
  step: z
    .int()
    .min(1)
    .describe(
      "While a trajectory is replayed, its element under way, counted from 1; else the last step begun within this attempt.",
    ),
  of: z
    .int()
    .min(1)
    .describe("As many elements as the trajectory has; else as many steps as the run may take: max_steps."),
  last_action: z.string().describe("Its type, and what it acts on where that is known."),
  at: z.iso.datetime().describe("When it began."),
});

export const Run = z.strictObject({
  id: z.uuid(),
  workflow_id: z.guid(),
  machine_id: z.guid().nullable(),
  status: RunStatus,
  is_priority: z.boolean().describe("Whether it waits before all that have none."),
  executor: Executor.describe("Its workflow's, when the run was created."),
  trajectory_id: z
    .guid()
    .nullable()
    .describe("Of a run that verifies a trajectory: it replays this one and nothing else."),
  dry_run_until: z
    .int()
    .min(0)
    .nullable()
    .describe("Of such a run: the element before which it stops, counted from 0 (sentences count from 1)."),
  user_id: z.guid(),
  organization_id: z.string(),
  input_values: z.record(z.string(), z.unknown()),
  /** Alias to alias: only the machine that runs gets a secret's value. */
  sensitive_input_aliases: z.record(z.string(), z.string()),
  output_data: z.unknown(),
  error: z.array(z.string()).describe("Why it did not succeed, for people."),
  error_code: z
    .string()
    .nullable()
    .describe(
      `Why it did not succeed, for programs; more may come. ${Object.entries(runErrorMeanings)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join("; ")}.`,
    ),
  pool_ids: z.array(z.guid()),
  assignment_id: z.guid().nullable(),
  session_id: z.guid().nullable(),
  session_alias: z.string().nullable(),
  release_session_after: z.boolean(),
  input_attachment_ids: z.array(z.guid()),
  output_attachment_ids: z.array(z.guid()),
  run_message_history: z.array(z.unknown()).nullable(),
  usage_metadata: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  waiting_reason: WaitingReason.nullable().describe(
    "Why it waits; only of a scheduling run, and only in GET of that run (lists name it in omitted_fields). What keeps the machine from it that is nearest to " +
      "taking it: all_busy (it has another run), reserved (for a session of others, or its reservation is being " +
      "cleared), out_of_service (its status is error, or is_available is false), all_disconnected. " +
      "no_machine_matches: there is none. session_busy: the machine of its own session has another run. " +
      "organization_limit: a machine is free, but the service carries out as many of the organization's runs as it may. " +
      "Null when one is free and the run is about to begin; of more than 100 machines the newest 100 are read.",
  ),
  queue_position: z
    .union([z.int().min(0).max(1_000), z.literal("1000+")])
    .nullable()
    .describe(
      "How many are ahead of it in its queue, those with priority first (of its session, machine, set of pools, or of any machine), together with " +
        "waiting_reason; a session that waits for a machine counts as one.",
    ),
  progress: RunProgress.nullable().describe(
    "How far the service is with it; only of a running run that it carries out, after its first step, and only in GET of that run (lists name it in omitted_fields).",
  ),
});
export type Run = z.infer<typeof Run>;

export const IncludedRelated = z.discriminatedUnion("type", [
  IncludedWorkflow,
  IncludedMachine,
  IncludedPool,
]);
export type IncludedRelated = z.infer<typeof IncludedRelated>;

/** One run, with the related resources requested. */
export const RunResponse = Run.extend({ included: z.array(IncludedRelated).optional() });
export type RunResponse = z.infer<typeof RunResponse>;

/** What only GET of one run reads: each costs calls of its own. */
const ofOneRun = { waiting_reason: true, queue_position: true, progress: true } as const;

/** Values of `fields`. */
export const RunField = Run.omit(ofOneRun).keyof().describe("The name of a field of a run.");
export type RunField = z.infer<typeof RunField>;

/** In a list: all but what omitted_fields names, or the `fields` named. */
export const RunItem = Run.partial()
  .required({ id: true, workflow_id: true, machine_id: true, status: true, created_at: true })
  .extend({ omitted_fields: omittedFields(Run.keyof()) });
export type RunItem = z.infer<typeof RunItem>;

export const CreatedRuns = z.strictObject({
  /** In request order; omitted_fields names the inputs, which the caller sent. */
  created_runs: z.array(RunItem),
  failed_count: z.int().min(0),
  /** Why runs could not be created. */
  errors: z.array(z.string()),
});
export type CreatedRuns = z.infer<typeof CreatedRuns>;

export const RunList = listOf(RunItem, IncludedRelated);
export type RunList = z.infer<typeof RunList>;

export const RunsQuery = z.strictObject({
  ...pageQuery,
  include,
  workflow_id: Uuid.optional(),
  machine_id: Uuid.optional(),
  session_id: Uuid.optional(),
  status: RunStatus.optional(),
  ...createdQuery,
  /** Substring of input_values, output_data, error or session_alias; case-insensitive. */
  search: text(1, 255).optional(),
  deep_search: queryBoolean
    .default(false)
    .describe(
      "With `search`: also in the whole output_data and in run_message_history, of at most 500 runs and 100 MB that the other filters leave, else 422. Without it nothing.",
    ),
  sort_mode: z
    .enum(runSortModes)
    .default("newest")
    .describe("`active_first`: scheduling and running ones before the others, each newest first."),
  /** Repeatable: only these fields, with id, workflow_id, machine_id, status and created_at. */
  fields: fieldsQuery(RunField).optional(),
});
export type RunsQuery = z.infer<typeof RunsQuery>;

/** What a machine needs to execute a run. */
export const RunInputs = z.strictObject({
  assignment_id: z.guid(),
  input_values: z.record(z.string(), z.unknown()),
  sensitive_input_values: z.record(z.string(), z.string()),
  overrides: RunOverrides.describe("What the run was given instead of its workflow's fields."),
});
export type RunInputs = z.infer<typeof RunInputs>;
