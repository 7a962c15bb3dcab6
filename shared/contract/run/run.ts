import * as z from "zod";
import { createdQuery, includeQuery, listOf, pageQuery, refuse, Timestamp, Uuid } from "../fields/common.ts";
import { jsonArray, jsonObject, jsonValue } from "../fields/json-value.ts";
import { Parameters, SensitiveParameters } from "../fields/parameters.ts";
import { FileName } from "../fields/text.ts";
import { IncludedPool } from "../machine.ts";
import { ModelMetadata } from "../model-configuration.ts";
import { IncludedMachine } from "../pool.ts";
import { Executor, MainPrompt, MaxDurationSeconds, MaxSteps, MaxTokens, Workflow } from "../workflow.ts";
import { runErrorCodes } from "./run-error-codes.ts";

/** Largest output_data, in bytes of JSON. */
const outputBytesMax = 1_048_576;

/** Largest run_message_history, in bytes of JSON. */
const historyBytesMax = 2_097_152;

/** Most files of one request; their content together is at most 4 MB. */
const filesMax = 20;
export const filesBytesMax = 4_194_304;

const ShortText = z.string().min(1).max(255);

export const RunStatus = z.enum(["scheduling", "running", "success", "error", "task_failed", "cancelled"]);

export const RunPath = z.strictObject({ run_id: Uuid });

/** A file passed to the run. */
export const FileInput = z.strictObject({
  filename: FileName,
  content: z
    .base64()
    .max(4 * Math.ceil(filesBytesMax / 3))
    .describe("Base64; all files of a request together have at most 4 MB (4,194,304 bytes)."),
  target_path: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .describe(
      "Where on the desktop it goes before the first action; with a slash at its end, the folder. " +
        "Default ~/Transfers/<filename>. In a worker's run it is the worker's to do.",
    ),
  cleanup_imports_after_run: z
    .boolean()
    .default(false)
    .describe(
      "Whether it is removed from the desktop after the last action; in a worker's run the worker's to do.",
    ),
});

export const FileInputs = z.array(FileInput).max(filesMax).superRefine(requireFilesFit);

/** Bytes of base64 text, without decoding it. */
export function base64Bytes(text: string): number {
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

function bytesOf(files: readonly { readonly content: string }[]): number {
  return files.reduce((sum, { content }) => sum + base64Bytes(content), 0);
}

function requireFilesFit(files: readonly { content: string }[], context: z.core.$RefinementCtx): void {
  const bytes = bytesOf(files);
  if (bytes <= filesBytesMax) return;
  const error = `all files together at most ${filesBytesMax} bytes, not ${bytes}`;
  refuse(context, { type: "value_error", message: `Value error, ${error}`, ctx: { error } });
}

/** The machine must be in all of these pools. */
export const PoolIds = z
  .array(Uuid)
  .min(1)
  .max(20)
  .transform((ids) => [...new Set(ids)]);

/** Instead of its workflow's, for this run. */
const overrides = {
  main_prompt: MainPrompt.optional(),
  model_metadata: ModelMetadata.optional(),
  model_configuration_id: Uuid.optional(),
  max_steps: MaxSteps.optional(),
  max_duration_seconds: MaxDurationSeconds.optional(),
  max_tokens: MaxTokens.optional(),
};

const runFields = {
  ...overrides,
  workflow_id: Uuid,
  machine_id: Uuid.optional(),
  pool_ids: PoolIds.optional(),
  input_values: Parameters.optional(),
  /** Their values are stored encrypted until the run has ended; responses have only the aliases. */
  sensitive_input_values: SensitiveParameters.optional(),
  file_inputs: FileInputs.optional(),
  session_id: Uuid.optional(),
  start_session: z.boolean().optional(),
  release_session_after: z.boolean().optional(),
};

function refuseTogether(context: z.core.$RefinementCtx, field: string, error: string): void {
  refuse(context, { type: "value_error", message: `Value error, ${error}`, path: [field], ctx: { error } });
}

interface Models {
  readonly model_metadata?: unknown;
  readonly model_configuration_id?: string | undefined;
}

function requireOneModel(body: Models, context: z.core.$RefinementCtx): void {
  if (body.model_metadata === undefined || body.model_configuration_id === undefined) return;
  const error = "model_configuration_id and model_metadata exclude each other; send one of the two";
  refuseTogether(context, "model_configuration_id", error);
}

interface Target {
  readonly machine_id?: string | undefined;
  readonly pool_ids?: readonly string[] | undefined;
  readonly session_id?: string | undefined;
  readonly start_session?: boolean | undefined;
}

/** Either a machine or pools; either an existing session or a new one. */
export function requireOneTarget(body: Target, context: z.core.$RefinementCtx): void {
  if (body.machine_id !== undefined && body.pool_ids !== undefined) {
    refuseTogether(context, "pool_ids", "machine_id and pool_ids exclude each other; send one of the two");
  }
  if (body.session_id !== undefined && body.start_session === true) {
    refuseTogether(context, "start_session", "session_id names a session that is there; send one of the two");
  }
}

export const CreateRunBody = z
  .strictObject({ ...runFields, session_alias: ShortText.optional() })
  .superRefine(requireOneTarget)
  .superRefine(requireOneModel);
export type CreateRunBody = z.infer<typeof CreateRunBody>;

/** Most runs of one bulk. */
const bulkMax = 1_000;

/** Most files of a bulk, and their total bytes: each run gets its own copies. */
const bulkFilesMax = 1_000;
const bulkFilesBytesMax = 104_857_600;

/** Many equal runs. */
export const CreateRunsBody = z
  .strictObject({
    ...runFields,
    /** How many. Files times runs are at most 1,000, and 100 MB in all. */
    count: z.int().min(1).max(bulkMax),
  })
  .superRefine(requireOneTarget)
  .superRefine(requireOneModel)
  .superRefine(requireFilesOfAllFit);
export type CreateRunsBody = z.infer<typeof CreateRunsBody>;

interface FilesOfMany {
  readonly count: number;
  readonly file_inputs?: readonly { readonly content: string }[] | undefined;
}

function requireFilesOfAllFit(
  { count, file_inputs = [] }: FilesOfMany,
  context: z.core.$RefinementCtx,
): void {
  const [files, bytes] = [count * file_inputs.length, count * bytesOf(file_inputs)];
  if (files > bulkFilesMax) {
    const error = `files times count are at most ${bulkFilesMax}, not ${files}`;
    refuseTogether(context, "file_inputs", error);
  } else if (bytes > bulkFilesBytesMax) {
    const error = `the files of all runs together have at most ${bulkFilesBytesMax} bytes, not ${bytes}`;
    refuseTogether(context, "file_inputs", error);
  }
}

/** Changes against the run before; an empty body repeats the run as it was. */
export const RetryRunBody = z
  .strictObject({
    /** Replace the input values as a whole. */
    input_values: Parameters.optional(),
    /** Replace the sensitive inputs as a whole. Required when the run's own values are gone. */
    sensitive_input_values: SensitiveParameters.optional(),
    /** Replace the files that the run was created with. */
    file_inputs: FileInputs.optional(),
    machine_id: Uuid.optional(),
    pool_ids: PoolIds.optional(),
    /** Whether the run stays in its session, if it has one. */
    reuse_session: z.boolean().default(true),
    /** A session that it joins instead. */
    session_id: Uuid.optional(),
    release_session_after: z.boolean().optional(),
  })
  .superRefine(requireOneTarget)
  .prefault({});
export type RetryRunBody = z.infer<typeof RetryRunBody>;

/** Only the fields provided are changed. */
export const UpdateRunBody = z.strictObject({
  status: z.enum(["success", "error", "task_failed", "cancelled", "scheduling", "running"]).optional(),
  error: z.array(z.string().max(4_096)).max(20).optional(),
  output_data: jsonValue(outputBytesMax).optional().describe("Any JSON of at most 1 MB (1,048,576 bytes)."),
  output_attachment_ids: z.array(Uuid).max(100).optional(),
  run_message_history: jsonArray(historyBytesMax)
    .nullable()
    .optional()
    .describe("Replaced as a whole; at most 2 MB (2,097,152 bytes) of JSON."),
  /** Can be changed until the run is assigned to a machine. */
  input_values: Parameters.optional(),
  usage_metadata: jsonObject(16_384).nullable().optional().describe("At most 16 KB (16,384 bytes) of JSON."),
  started_at: Timestamp.nullable().optional(),
  ended_at: Timestamp.nullable().optional(),
  release_session_after: z.boolean().optional(),
  assignment_id: Uuid.optional().describe(
    "Required while the run is running: which attempt this reports on.",
  ),
});
export type UpdateRunBody = z.infer<typeof UpdateRunBody>;

const include = includeQuery("workflow", "machine", "machine.pools").optional();

export const RunQuery = z.strictObject({ include });

export const WaitingReason = z.enum([
  "no_machine_matches",
  "all_disconnected",
  "all_busy",
  "reserved",
  "out_of_service",
  "session_busy",
  "organization_limit",
]);

export const Run = z.strictObject({
  id: z.uuid(),
  workflow_id: z.guid(),
  machine_id: z.guid().nullable(),
  status: RunStatus,
  executor: Executor.describe("Its workflow's, when the run was created."),
  trajectory_id: z
    .guid()
    .nullable()
    .describe("Of a run that verifies a trajectory: it replays this one and nothing else."),
  dry_run_until: z.int().min(0).nullable().describe("Of such a run: the element before which it stops."),
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
      `Why it did not succeed, for programs; more may come. ${Object.entries(runErrorCodes)
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
    "Why it waits; only of a scheduling run, and only in GET of that run. What keeps the machine from it that is nearest to " +
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
      "How many are ahead of it in its queue (of its session, machine, set of pools, or of any machine), together with " +
        "waiting_reason; a session that waits for a machine counts as one.",
    ),
  progress: z
    .strictObject({
      step: z.int().min(1).describe("The last one begun, within this attempt."),
      of: z.int().min(1).describe("As many as it may take: max_steps of its workflow."),
      last_action: z.string().describe("Its type, and what it acts on where that is known."),
      at: z.iso.datetime().describe("When it began."),
    })
    .nullable()
    .describe(
      "How far the service is with it; only of a running run that it carries out, after its first step, and only in GET of that run.",
    ),
});
export type Run = z.infer<typeof Run>;

export const IncludedRelated = z.discriminatedUnion("type", [
  Workflow.omit({ tags: true }).extend({ type: z.literal("workflow") }),
  IncludedMachine,
  IncludedPool,
]);
export type IncludedRelated = z.infer<typeof IncludedRelated>;

/** One run, with the related resources requested. */
export const RunResponse = Run.extend({ included: z.array(IncludedRelated).optional() });
export type RunResponse = z.infer<typeof RunResponse>;

/** What only a single run has. */
const ofOneRun = { waiting_reason: true, queue_position: true, progress: true } as const;

/** Values of `fields`. */
export const RunField = Run.omit(ofOneRun).keyof();
export type RunField = z.infer<typeof RunField>;

/** In a list: all but output_data and run_message_history, or the `fields` named. */
export const RunItem = Run.omit(ofOneRun)
  .partial()
  .required({ id: true, workflow_id: true, machine_id: true, status: true, created_at: true });
export type RunItem = z.infer<typeof RunItem>;

export const CreatedRuns = z.strictObject({
  /** In request order, without input_values and sensitive_input_aliases, which the caller sent. */
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
  search: ShortText.optional(),
  /** Repeatable: only these fields, with id, workflow_id, machine_id, status and created_at. */
  fields: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat())])
    .pipe(z.array(RunField))
    .optional(),
});
export type RunsQuery = z.infer<typeof RunsQuery>;

/** What a machine needs to execute a run. */
export const RunInputs = z.strictObject({
  assignment_id: z.guid(),
  input_values: z.record(z.string(), z.unknown()),
  sensitive_input_values: z.record(z.string(), z.string()),
  overrides: z.strictObject(overrides).describe("What the run was given instead of its workflow's fields."),
});
export type RunInputs = z.infer<typeof RunInputs>;

/** How a trajectory is verified; an empty body replays the recording's own inputs wherever a machine is free. */
export const VerifyTrajectoryBody = z
  .strictObject({
    machine_id: Uuid.optional(),
    pool_ids: PoolIds.optional(),
    input_values: Parameters.optional().describe(
      "Stand above original_input_values. The trajectory is verified by a success with at least one that differs.",
    ),
    sensitive_input_values: SensitiveParameters.optional(),
    dry_run_until: z
      .int()
      .min(0)
      .optional()
      .describe(
        "Index of the element before which it stops, as a success, without judging what was done. Verifies nothing.",
      ),
  })
  .superRefine(requireOneTarget)
  .prefault({});
export type VerifyTrajectoryBody = z.infer<typeof VerifyTrajectoryBody>;

export const VerificationCreated = z.strictObject({
  run: Run,
  warning: z.string().describe("What the run does to the desktop, in a sentence."),
});
export type VerificationCreated = z.infer<typeof VerificationCreated>;
