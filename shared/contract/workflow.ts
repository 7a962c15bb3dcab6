import * as z from "zod";
import { executors, leaves, replays } from "../vocabulary/workflows.ts";
import { createdQuery, listOf, pageQuery, Uuid, updatedQuery } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { jsonObject } from "./fields/json-value.ts";
import { queryBoolean, queryUuids } from "./fields/query-values.ts";
import { text } from "./fields/text.ts";
import { fallbacksMax, ModelMetadata } from "./model-configuration.ts";
import { WorkflowTag } from "./workflow-tag.ts";

/** Largest schema in bytes of JSON. */
const schemaBytesMax = 65_536;

/** Most tags in one request: one transaction writes up to five items for each, and takes 100 in all. */
const assignedMax = 19;

const SearchText = text(1, 255);
const Name = text(0, 255);
export const MainPrompt = text(1, 100_000);

/** A JSON Schema as an object, of the dialect named by its `$schema` (2020-12 without one); stored as it is. */
const JsonSchema = jsonObject(schemaBytesMax);

export const Executor = z.enum(executors);
export const Replay = z.enum(replays);
export const Leave = z.enum(leaves);

/** Bounds of a run that the service carries out. */
const stepsMax = 500;
export const durationSecondsMax = 86_400;
export const tokensMax = 1_000_000_000;

export const MaxSteps = z.int().min(1).max(stepsMax);
export const MaxDurationSeconds = z.int().min(30).max(durationSecondsMax);
export const MaxTokens = z.int().min(1).max(tokensMax);

const optionalFields = {
  name: Name.optional(),
  input_schema: JsonSchema.nullable().optional(),
  output_schema: JsonSchema.nullable().optional(),
  includes_file_exports: z
    .boolean()
    .optional()
    .describe(
      "Default false. Whether what a run leaves in the folder `{exports}` becomes output attachments: the first 20 files " +
        "by name, 100 MB each.",
    ),
  is_webhooks_enabled: z.boolean().optional(),
  model_metadata: ModelMetadata.nullable().optional().describe("Instead of model_configuration_id."),
  model_configuration_id: Uuid.nullable()
    .optional()
    .describe("Of the model that decides: the service's own configuration, or the organization's."),
  fallback_model_configuration_ids: distinctUuids(0, fallbacksMax)
    .optional()
    .describe("Tried in this order where model_configuration_id's provider is away or refuses; needs it."),
  executor: Executor.optional().describe("Default `service`; `worker` leaves its runs to a worker of yours."),
  leave: Leave.optional().describe(
    "Default as_is. How a run leaves the desktop: as it is at its end, or, also after one that failed, with the trajectory's `reset` done where the first recorded screen is not seen.",
  ),
  replay: Replay.optional().describe(
    "Default `auto`: by the main approved trajectory, by the model where the screen differs; `only`: never by a model.",
  ),
  allow_shell: z
    .boolean()
    .optional()
    .describe("Default false. Whether its runs may use the action `shell`, and files outside ~/Transfers."),
  keep_screenshots: z.boolean().optional().describe("Default true. Whether the pictures of steps are kept."),
  max_steps: MaxSteps.optional().describe("Default 100."),
  max_duration_seconds: MaxDurationSeconds.optional().describe("Default 3,600."),
  max_tokens: MaxTokens.nullable()
    .optional()
    .describe("Of all calls to models of a run, input and output; default null, no bound."),
};

/** Prompt and schemas together take at most 300,000 bytes of JSON. */
export const CreateWorkflowBody = z.strictObject({ main_prompt: MainPrompt, ...optionalFields });
export type CreateWorkflowBody = z.infer<typeof CreateWorkflowBody>;

export const DuplicateWorkflowBody = z
  .strictObject({
    name: Name.optional().describe("Default: the workflow's own, and ` (Copy)`."),
    include_trajectories: z
      .boolean()
      .optional()
      .describe("Default false. Whether its trajectories are copied too, not approved; 100 at most."),
  })
  .describe("What the copy is to be called, and whether trajectories go along.")
  .prefault({});

/** Only the fields provided are changed. */
export const UpdateWorkflowBody = CreateWorkflowBody.partial();
export type UpdateWorkflowBody = z.infer<typeof UpdateWorkflowBody>;

export const WorkflowPath = z.strictObject({ workflow_id: Uuid });
export const WorkflowTagPath = z.strictObject({ workflow_id: Uuid, tag_id: Uuid });

export const WorkflowsQuery = z.strictObject({
  ...pageQuery,
  search: SearchText.optional().describe("Substring of id, name or main_prompt, whatever the case."),
  ...createdQuery,
  ...updatedQuery,
  tag_ids: queryUuids(10).optional().describe("Workflows that have all of these."),
  include_tags: queryBoolean.default(false).describe("Whether each item has its `tags`."),
});
export type WorkflowsQuery = z.infer<typeof WorkflowsQuery>;

const TagIds = z.array(Uuid).min(1).max(assignedMax);

/** Added to the workflow's tags; a tag of a group replaces the workflow's other tag of it. */
export const AssignTagsBody = z.strictObject({ tag_ids: TagIds });

export const BulkAssignTagsBody = z.strictObject({
  workflow_ids: z.array(Uuid).min(1).max(50),
  tag_ids: TagIds,
});

export const TaggedWorkflow = z.strictObject({ workflow_id: z.guid(), tag_ids: z.array(z.guid()) });

export const FailedAssignment = z.strictObject({
  workflow_id: z.guid(),
  error_code: z.string(),
  message: z.string(),
});

/** Some workflows may have failed: for each, all tags are assigned or none. */
export const BulkAssignment = z.strictObject({
  updated_workflows: z.array(TaggedWorkflow),
  failed_count: z.int().min(0),
  errors: z.array(FailedAssignment),
});
export type BulkAssignment = z.infer<typeof BulkAssignment>;

export const Workflow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  main_prompt: z.string(),
  input_schema: z.record(z.string(), z.unknown()).nullable(),
  output_schema: z.record(z.string(), z.unknown()).nullable(),
  includes_file_exports: z.boolean(),
  is_webhooks_enabled: z.boolean(),
  model_metadata: ModelMetadata.nullable(),
  model_configuration_id: z.guid().nullable(),
  fallback_model_configuration_ids: z.array(z.guid()),
  executor: Executor,
  replay: Replay,
  leave: Leave,
  allow_shell: z.boolean(),
  keep_screenshots: z.boolean(),
  max_steps: z.int(),
  max_duration_seconds: z.int(),
  max_tokens: z.int().nullable(),
  user_id: z.guid(),
  organization_id: z.string(),
  includes_input_variables: z
    .boolean()
    .describe(
      "Whether the prompt names a `{variable}` or a `{$secret}`; `{exports}` of a workflow with file exports is the service's own.",
    ),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  tags: z.array(WorkflowTag),
});
export type Workflow = z.infer<typeof Workflow>;

/** A related resource beside the one requested. */
export const IncludedWorkflow = Workflow.omit({ tags: true }).extend({ type: z.literal("workflow") });
export type IncludedWorkflow = z.infer<typeof IncludedWorkflow>;

/** In a list, and beside another resource, tags are present when requested. */
export const WorkflowItem = Workflow.partial({ tags: true });
export type WorkflowItem = z.infer<typeof WorkflowItem>;

export const WorkflowList = listOf(WorkflowItem, z.never()).omit({ included: true });
export type WorkflowList = z.infer<typeof WorkflowList>;

export const WorkflowVersionsQuery = z.strictObject({ ...pageQuery });

export const WorkflowVersion = z.strictObject({
  id: z.uuid(),
  workflow_id: z.uuid(),
  main_prompt: z.string(),
  created_at: z.iso.datetime().describe("When it became the workflow's prompt."),
  replaced_at: z.iso.datetime().describe("When the next one took its place."),
});
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;
