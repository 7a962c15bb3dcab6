import * as z from "zod";
import { holdNoteMax, holdReasonMax, holdSeconds } from "../../vocabulary/holds.ts";
import { activeRunStatuses, terminalRunStatuses } from "../../vocabulary/runs.ts";
import { refuseValue, Timestamp, Uuid } from "../fields/common.ts";
import { distinctUuids } from "../fields/distinct-uuids.ts";
import { example } from "../fields/example.ts";
import { both, has, isTrue, refusing } from "../fields/exclusions.ts";
import { jsonArray, jsonObject, jsonValue } from "../fields/json-value.ts";
import { metadataFields } from "../fields/metadata.ts";
import { withModelNames } from "../fields/model-names.ts";
import { Parameters, SensitiveParameters } from "../fields/parameters.ts";
import { name, text } from "../fields/text.ts";
import { fallbacksMax, ModelMetadata } from "../model-configuration.ts";
import { MainPrompt, MaxDurationSeconds, MaxSteps, MaxTokens } from "../workflow.ts";
import { bytesOf, FileInputs } from "./file-inputs.ts";

const outputBytesMax = 1_048_576;

const historyBytesMax = 2_097_152;

export const PoolIds = z
  .array(Uuid)
  .min(1)
  .max(20)
  .transform((ids) => [...new Set(ids)]);

const overrides = {
  main_prompt: MainPrompt.optional().describe("The task in words, in place of the workflow's prompt."),
  model_metadata: ModelMetadata.optional().describe(
    "The model that decides, in place of the workflow's. An object of the other names of configurations is taken too, as a workflow takes it.",
  ),
  model_configuration_id: Uuid.optional().describe(
    "The configuration of the model that decides, in place of the workflow's.",
  ),
  fallback_model_configuration_ids: distinctUuids(0, fallbacksMax)
    .optional()
    .describe("Configurations to try, in this order, in place of the workflow's."),
  max_steps: MaxSteps.optional().describe("Largest number of the run's steps, in place of the workflow's."),
  max_duration_seconds: MaxDurationSeconds.optional().describe(
    "Longest time that the run may take, in seconds, in place of the workflow's.",
  ),
  max_tokens: MaxTokens.optional().describe(
    "Largest number of tokens that the run's calls to models may take, in place of the workflow's; null for no bound.",
  ),
};

export const IsPriority = z
  .boolean()
  .describe(
    "Whether the run waits before every run of the organization that has no priority, in whichever queue of its machine; among those with priority, the oldest is first. While such runs keep coming, the others wait.",
  );

const SessionAlias = name(1, 255);

export const RunOverrides = z
  .strictObject(overrides)
  .describe("The values that a run was given in place of its workflow's.");

export const runFields = {
  ...overrides,
  workflow_id: Uuid.describe("The workflow that the run executes."),
  machine_id: Uuid.optional().describe(
    "The machine that the run waits for. Default: any, or one that is in all `pool_ids`.",
  ),
  pool_ids: PoolIds.optional().describe(
    "Pools that the run's machine must be in, all of them; in place of `machine_id`.",
  ),
  input_values: Parameters.optional().describe("The run's inputs, by name."),
  sensitive_input_values: SensitiveParameters.optional().describe(
    "The run's secret inputs, by alias. They are stored encrypted until the run has ended, and responses have the aliases alone.",
  ),
  file_inputs: FileInputs.optional().describe("Files that are passed to the run."),
  session_id: Uuid.optional().describe("A session that the run joins. Default: none."),
  start_session: z.boolean().optional().describe("Whether the run begins a new session. Default false."),
  release_session_after: z
    .boolean()
    .optional()
    .describe("Whether the session ends with the run. Default false."),
  is_priority: IsPriority.default(false),
  metadata: metadataFields.created,
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

export function requireOneTarget(body: Target, context: z.core.$RefinementCtx): void {
  if (body.machine_id !== undefined && body.pool_ids !== undefined) {
    refuseValue(context, "machine_id and pool_ids exclude each other; send one of the two", ["pool_ids"]);
  }
  if (body.session_id !== undefined && body.start_session === true) {
    refuseValue(context, "session_id names a session that is there; send one of the two", ["start_session"]);
  }
}

export const twoTargets = [
  both(has("machine_id"), has("pool_ids")),
  both(has("session_id"), isTrue("start_session")),
];
const twoModels = [
  both(has("model_metadata"), has("model_configuration_id")),
  both(has("model_metadata"), has("main_agent_model_id")),
];

export const CreateRunBody = withModelNames(
  z.strictObject({
    ...runFields,
    session_alias: SessionAlias.optional().describe("A name of the run's session, for people."),
  }),
  {},
)
  .superRefine(requireOneTarget)
  .superRefine(requireOneModel)
  .meta(refusing(...twoTargets, ...twoModels))
  .describe("One run of a workflow, with its inputs and the machine or pools that it waits for.");
export type CreateRunBody = z.infer<typeof CreateRunBody>;

const bulkMax = 1_000;

/** Each run gets its own copies of the files. */
const bulkFilesMax = 1_000;
const bulkFilesBytesMax = 104_857_600;

export const CreateRunsBody = withModelNames(
  z.strictObject({
    ...runFields,
    count: z.int().min(1).max(bulkMax).describe("Number of runs."),
  }),
  {},
)
  .superRefine(requireOneTarget)
  .superRefine(requireOneModel)
  .superRefine(requireFilesOfAllFit)
  .meta({
    ...refusing(...twoTargets, ...twoModels),
    says: ["Files times `count` are at most 1,000, and 100 MB (104,857,600 bytes) in all."],
  })
  .describe("Many runs of a workflow that are alike.");
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

export const RetryRunBody = z
  .strictObject({
    input_values: Parameters.optional().describe("The run's inputs by name, in place of all that it had."),
    sensitive_input_values: SensitiveParameters.optional().describe(
      "The run's secret inputs by alias, in place of all that it had; required if their values are gone.",
    ),
    file_inputs: FileInputs.optional().describe(
      "Files that are passed to the run, in place of those that it was created with.",
    ),
    machine_id: Uuid.optional().describe("The run's machine. Default: what it waited for at first."),
    pool_ids: PoolIds.optional().describe(
      "Pools that the run's machine must be in, all of them; in place of `machine_id`.",
    ),
    reuse_session: z.boolean().default(true).describe("Whether the run stays in its session, if it has one."),
    session_id: Uuid.optional().describe("A session that the run joins, in place of its own."),
    start_session: z
      .boolean()
      .optional()
      .describe("Whether the run begins a new session, in place of its own. Default false."),
    session_alias: SessionAlias.optional().describe(
      "A name of the run's session, for people. Default: the name that it had.",
    ),
    is_priority: IsPriority.optional(),
    release_session_after: z
      .boolean()
      .optional()
      .describe("Whether the session ends with the run. Default: as before."),
  })
  .superRefine(requireOneTarget)
  .meta(refusing(...twoTargets))
  .prefault({})
  .describe("Changes against the last attempt of a run; an empty body repeats the run as it was.");
export type RetryRunBody = z.infer<typeof RetryRunBody>;

const errorCharactersMax = 4_096;

export const CancelRunBody = z
  .strictObject({
    reason: text(1, errorCharactersMax)
      .optional()
      .describe("The reason for cancelling, which becomes the last line of the run's `error`."),
  })
  .prefault({})
  .describe("The reason for cancelling a run; an empty body gives none.");
export type CancelRunBody = z.infer<typeof CancelRunBody>;

export const HoldRunBody = z
  .strictObject({
    reason: text(1, holdReasonMax)
      .optional()
      .describe("The reason for the hold, for people. Default: as it was, or none."),
    seconds: example(
      z.int().min(holdSeconds.min).max(holdSeconds.max).default(holdSeconds.default),
      600,
    ).describe("Time until the hold expires, in seconds from now. A hold is never shortened."),
  })
  .prefault({})
  .describe("The reason for holding a run, and for how long; the body may be left out.");
export type HoldRunBody = z.infer<typeof HoldRunBody>;

export const ResumeRunBody = z
  .strictObject({
    note: text(1, holdNoteMax)
      .optional()
      .describe("The words that the model is told: what was done meanwhile, or the answer to its question."),
  })
  .prefault({})
  .describe("The note with which a run is resumed; an empty body gives none.");
export type ResumeRunBody = z.infer<typeof ResumeRunBody>;

export const UpdateRunBody = z
  .strictObject({
    status: z
      .enum([...terminalRunStatuses, ...activeRunStatuses])
      .optional()
      .describe(
        "The run's new status. Only legal transitions are accepted, and a request cannot set `running` or `scheduling`.",
      ),
    error: z
      .array(text(0, errorCharactersMax))
      .max(20)
      .optional()
      .describe("The reasons why the run did not succeed, in sentences for people."),
    output_data: jsonValue(outputBytesMax).optional().describe("The run's output: any JSON value."),
    output_attachment_ids: z
      .array(Uuid)
      .max(100)
      .optional()
      .describe("The attachments that came out of the run."),
    run_message_history: jsonArray(historyBytesMax)
      .nullable()
      .optional()
      .describe("The conversation with the model, each message any JSON value; replaced as a whole."),
    input_values: Parameters.optional().describe(
      "The run's inputs by name; they can change until a machine has the run.",
    ),
    usage_metadata: jsonObject(16_384)
      .nullable()
      .optional()
      .describe("The usage of models, in the worker's own form."),
    started_at: Timestamp.nullable().optional().describe("Time at which the run began."),
    ended_at: Timestamp.nullable().optional().describe("Time at which the run ended."),
    release_session_after: z.boolean().optional().describe("Whether the session ends with the run."),
    metadata: metadataFields.changed,
    assignment_id: Uuid.optional().describe(
      "The attempt that the request reports on, as GET of the run shows it. Required while the run is running, except to cancel it, or to change nothing but its metadata, with the scope `write`.",
    ),
  })
  .describe("Changes of a run: only the fields provided are changed.");
export type UpdateRunBody = z.infer<typeof UpdateRunBody>;
