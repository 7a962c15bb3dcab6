import * as z from "zod";
import { activeRunStatuses, terminalRunStatuses } from "../../vocabulary/runs.ts";
import { refuseValue, Timestamp, Uuid } from "../fields/common.ts";
import { both, given, isTrue, refusing } from "../fields/exclusions.ts";
import { jsonArray, jsonObject, jsonValue } from "../fields/json-value.ts";
import { Parameters, SensitiveParameters } from "../fields/parameters.ts";
import { text } from "../fields/text.ts";
import { ModelMetadata } from "../model-configuration.ts";
import { MainPrompt, MaxDurationSeconds, MaxSteps, MaxTokens } from "../workflow.ts";
import { bytesOf, FileInputs } from "./file-inputs.ts";

/** Largest output_data, in bytes of JSON. */
const outputBytesMax = 1_048_576;

/** Largest run_message_history, in bytes of JSON. */
const historyBytesMax = 2_097_152;

/** The machine must be in all of these pools. */
export const PoolIds = z
  .array(Uuid)
  .min(1)
  .max(20)
  .transform((ids) => [...new Set(ids)]);

/** Instead of its workflow's, for this run. */
export const overrides = {
  main_prompt: MainPrompt.optional(),
  model_metadata: ModelMetadata.optional(),
  model_configuration_id: Uuid.optional(),
  max_steps: MaxSteps.optional(),
  max_duration_seconds: MaxDurationSeconds.optional(),
  max_tokens: MaxTokens.optional(),
};

const IsPriority = z
  .boolean()
  .describe(
    "It waits before every run of the organization that has no priority, in whichever queue of its machine; among those that have, by age. Strict: while such runs keep coming, the others wait.",
  );

const SessionAlias = text(1, 255);

export const RunOverrides = z.strictObject(overrides);

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
  is_priority: IsPriority.default(false),
};

interface Models {
  readonly model_metadata?: unknown;
  readonly model_configuration_id?: string | undefined;
}

function requireOneModel(body: Models, context: z.core.$RefinementCtx): void {
  if (body.model_metadata === undefined || body.model_configuration_id === undefined) return;
  const error = "model_configuration_id and model_metadata exclude each other; send one of the two";
  refuseValue(context, error, ["model_configuration_id"]);
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
    refuseValue(context, "machine_id and pool_ids exclude each other; send one of the two", ["pool_ids"]);
  }
  if (body.session_id !== undefined && body.start_session === true) {
    refuseValue(context, "session_id names a session that is there; send one of the two", ["start_session"]);
  }
}

/** The same for the documents. */
export const twoTargets = [
  both(given("machine_id"), given("pool_ids")),
  both(given("session_id"), isTrue("start_session")),
];
const twoModels = both(given("model_metadata"), given("model_configuration_id"));

export const CreateRunBody = z
  .strictObject({ ...runFields, session_alias: SessionAlias.optional() })
  .superRefine(requireOneTarget)
  .superRefine(requireOneModel)
  .meta(refusing(...twoTargets, twoModels));
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
  .superRefine(requireFilesOfAllFit)
  .meta(refusing(...twoTargets, twoModels));
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
    refuseValue(context, error, ["file_inputs"]);
  } else if (bytes > bulkFilesBytesMax) {
    const error = `the files of all runs together have at most ${bulkFilesBytesMax} bytes, not ${bytes}`;
    refuseValue(context, error, ["file_inputs"]);
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
    /** It begins a session instead. */
    start_session: z.boolean().optional(),
    session_alias: SessionAlias.optional(),
    is_priority: IsPriority.optional(),
    release_session_after: z.boolean().optional(),
  })
  .superRefine(requireOneTarget)
  .meta(refusing(...twoTargets))
  .prefault({});
export type RetryRunBody = z.infer<typeof RetryRunBody>;

/** Of a line of `error`. */
const errorCharactersMax = 4_096;

export const CancelRunBody = z
  .strictObject({
    reason: text(1, errorCharactersMax)
      .optional()
      .describe("Why; it becomes the last line of the run's `error`."),
  })
  .prefault({});
export type CancelRunBody = z.infer<typeof CancelRunBody>;

/** Only the fields provided are changed. */
export const UpdateRunBody = z.strictObject({
  status: z.enum([...terminalRunStatuses, ...activeRunStatuses]).optional(),
  error: z.array(text(0, errorCharactersMax)).max(20).optional(),
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
    "Required while the run is running, but to cancel it with the scope `write`: which attempt this reports on. GET of the run shows it.",
  ),
});
export type UpdateRunBody = z.infer<typeof UpdateRunBody>;
