import * as z from "zod";
import { executors, leaves, onHoldTimeouts, replays } from "../vocabulary/workflows.ts";
import {
  createdQuery,
  includeQuery,
  listOf,
  OrganizationId,
  pageQuery,
  Uuid,
  updatedQuery,
} from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { example } from "./fields/example.ts";
import { jsonObject } from "./fields/json-value.ts";
import { metadataFields } from "./fields/metadata.ts";
import { otherModelNames, withModelNames } from "./fields/model-names.ts";
import { queryBoolean, queryUuids } from "./fields/query-values.ts";
import { name, text } from "./fields/text.ts";
import { fallbacksMax, ModelMetadata } from "./model-configuration.ts";
import { IncludedTag, WorkflowTag } from "./workflow-tag.ts";

const schemaBytesMax = 65_536;

/** One transaction writes up to five items for each tag, and takes 100 in all. */
const assignedMax = 19;

const SearchText = text(1, 255);
const Name = name(0, 255);
export const MainPrompt = text(1, 100_000);

const JsonSchema = jsonObject(schemaBytesMax);

export const Executor = z
  .enum(executors)
  .describe("The party that carries out runs: the service itself, or a worker of the organization's own.");

export const Replay = z
  .enum(replays)
  .describe("The use that runs make of the main approved trajectory: first, alone (`only`), or never.");

export const OnHoldTimeout = z
  .enum(onHoldTimeouts)
  .describe("The end of a hold that nobody resumes in time: the run fails, or goes on by itself.");

export const Leave = z
  .enum(leaves)
  .describe("The state in which a run leaves the desktop: as it is at its end, or as its trajectory began.");

const stepsMax = 500;
export const durationSecondsMax = 86_400;
const tokensMax = 1_000_000_000;

export const MaxSteps = z.int().min(1).max(stepsMax);
export const MaxDurationSeconds = z.int().min(30).max(durationSecondsMax);
export const MaxTokens = z.int().min(1).max(tokensMax);

const optionalFields = {
  name: Name.optional().describe("The workflow's name, for people. Default: empty."),
  input_schema: JsonSchema.nullable()
    .optional()
    .describe(
      "A JSON Schema for the inputs of runs, which can be used: of dialect 2020-12, 2019-09, draft-07 or draft-06. Default null: none.",
    ),
  output_schema: JsonSchema.nullable()
    .optional()
    .describe(
      "A JSON Schema for the output of runs, which can be used like `input_schema`. Default null: none.",
    ),
  includes_file_exports: z
    .boolean()
    .optional()
    .describe(
      "Whether the files that a run leaves in the folder `{exports}` become output attachments: the first 20 by name, 100 MB each. Default false.",
    ),
  is_webhooks_enabled: z
    .boolean()
    .optional()
    .describe("Whether events of its runs are sent to the webhook endpoints. Default false."),
  model_metadata: ModelMetadata.nullable()
    .optional()
    .describe(
      "The model that decides, instead of `model_configuration_id`: a workflow with both is refused, and null clears the other one. In its place an object with `main_agent_model_id`, `fallback_model_1_id` and `fallback_model_2_id` is taken too, as if they stood beside it.",
    ),
  model_configuration_id: Uuid.nullable()
    .optional()
    .describe("The configuration of the model that decides: the organization's or the service's."),
  fallback_model_configuration_ids: distinctUuids(0, fallbacksMax)
    .optional()
    .describe(
      "Configurations to try, in this order, when the provider of `model_configuration_id` is away or refuses; they need that field, and are others than it. Default: none.",
    ),
  executor: Executor.optional().describe(
    "The party that carries out the runs: the service, or with `worker` a worker of your own. Default `service`.",
  ),
  leave: Leave.optional().describe(
    "The state in which a run leaves the desktop: as it is at its end (`as_is`), or, after a failed run too, with the trajectory's `reset` done if the first recorded screen is not seen. Default `as_is`.",
  ),
  replay: Replay.optional().describe(
    "The way in which runs use the main approved trajectory: `auto` replays it and asks the model where the screen differs, `only` never asks a model, `never` does not replay. Default `auto`.",
  ),
  on_hold_timeout: OnHoldTimeout.optional().describe(
    "The end of a hold that nobody resumes in time: the run ends with `hold_timed_out`, or goes on by itself. Default `fail`.",
  ),
  may_ask: z
    .boolean()
    .optional()
    .describe(
      "Whether the model may hold a run by asking a person, with the tool `ask_person`. Default false.",
    ),
  allow_shell: z
    .boolean()
    .optional()
    .describe("Whether runs may use the action `shell`, and files outside ~/Transfers. Default false."),
  keep_screenshots: z.boolean().optional().describe("Whether the pictures of steps are kept. Default true."),
  max_steps: MaxSteps.optional().describe("Largest number of steps that a run may take. Default 100."),
  max_duration_seconds: MaxDurationSeconds.optional().describe(
    "Longest time that a run may take, in seconds. Default 3,600.",
  ),
  max_tokens: MaxTokens.nullable()
    .optional()
    .describe(
      "Largest number of tokens, input and output, that all calls to models of a run may take. Default null: no bound.",
    ),
};

const createdFields = z.strictObject({
  main_prompt: MainPrompt.describe("The task in words, with `{variable}` and `{$secret}` for inputs."),
  ...optionalFields,
  metadata: metadataFields.created,
});

const withoutMetadata = { model_metadata: null };

export const CreateWorkflowBody = withModelNames(createdFields, withoutMetadata).describe(
  "A task to automate. Its prompt and schemas together take at most 300,000 bytes of JSON.",
);
export type CreateWorkflowBody = z.infer<typeof CreateWorkflowBody>;

export const DuplicateWorkflowBody = z
  .strictObject({
    name: Name.optional().describe("The copy's name. Default: the workflow's own, with ` (Copy)` after it."),
    include_trajectories: z
      .boolean()
      .optional()
      .describe("Whether its trajectories, at most 100, are copied too, not approved. Default false."),
  })
  .prefault({})
  .describe("The name of a workflow's copy, and whether its trajectories are copied too.");

export const UpdateWorkflowBody = withModelNames(
  createdFields.partial().extend({ metadata: metadataFields.changed }),
  withoutMetadata,
).describe(
  "Changes of a workflow: only the fields provided are changed. Its prompt and schemas together take at most 300,000 bytes of JSON.",
);
export type UpdateWorkflowBody = z.infer<typeof UpdateWorkflowBody>;

const include = includeQuery("tags").optional();

export const WorkflowQuery = z.strictObject({ include });

export const WorkflowsQuery = z.strictObject({
  ...pageQuery,
  search: example(SearchText.optional(), "invoice").describe(
    "Only workflows with this text in their id, name or prompt are listed, ignoring case.",
  ),
  ...createdQuery,
  ...updatedQuery,
  tag_ids: queryUuids(10)
    .optional()
    .describe("Only workflows that have all of these tags are listed; ids are separated by commas."),
  metadata: metadataFields.query,
  include_tags: queryBoolean.default(false).describe("Whether each workflow has its `tags`."),
  include,
});
export type WorkflowsQuery = z.infer<typeof WorkflowsQuery>;

const TagIds = z.array(Uuid).min(1).max(assignedMax);

export const AssignTagsBody = z
  .strictObject({ tag_ids: TagIds.describe("The tags to add to the workflow.") })
  .describe(
    "Tags to add to a workflow, at most one of each group; it replaces the workflow's other tag of that group.",
  );

export const BulkAssignTagsBody = z
  .strictObject({
    workflow_ids: z.array(Uuid).min(1).max(50).describe("The workflows to add the tags to."),
    tag_ids: TagIds.describe("The tags to add to each workflow."),
  })
  .describe("Tags to add to several workflows; a tag replaces a workflow's other one of its group.");

export const TaggedWorkflow = z
  .strictObject({
    workflow_id: z.guid().describe("The workflow that got the tags."),
    tag_ids: z.array(z.guid()).describe("The tags that the workflow has now."),
  })
  .describe("A workflow that got the tags.");

export const FailedAssignment = z
  .strictObject({
    workflow_id: z.guid().describe("The workflow that did not get the tags."),
    error_code: example(z.string(), "not_found").describe(
      "The reason for programs, an `error_code` of this API.",
    ),
    message: example(z.string(), "there is no such workflow").describe(
      "The reason in a sentence, for people.",
    ),
  })
  .describe("A workflow that did not get the tags, with the reason.");

export const BulkAssignment = z
  .strictObject({
    updated_workflows: z.array(TaggedWorkflow).describe("The workflows that got the tags."),
    failed_count: z.int().min(0).describe("Number of workflows that did not get the tags."),
    errors: z
      .array(FailedAssignment)
      .describe("The workflows that did not get the tags, each with the reason."),
  })
  .describe("The result of assigning tags to several workflows: each of them gets all tags or none.");
export type BulkAssignment = z.infer<typeof BulkAssignment>;

export const Workflow = z
  .strictObject({
    id: z.uuid().describe("The workflow's id."),
    name: example(z.string(), "Enter an invoice").describe("The workflow's name, for people."),
    main_prompt: example(z.string(), "Enter the invoice of {customer} and note its number.").describe(
      "The task in words, with `{variable}` and `{$secret}` for inputs.",
    ),
    input_schema: example(z.record(z.string(), z.unknown()).nullable(), {
      type: "object",
      properties: { customer: { type: "string" } },
    }).describe("The JSON Schema that the inputs of runs are checked by; null if there is none."),
    output_schema: example(z.record(z.string(), z.unknown()).nullable(), {
      type: "object",
      properties: { number: { type: "string" } },
    }).describe("The JSON Schema that the output of runs is checked by; null if there is none."),
    includes_file_exports: z
      .boolean()
      .describe("Whether the files that a run leaves in the folder `{exports}` become output attachments."),
    is_webhooks_enabled: z
      .boolean()
      .describe("Whether events of the workflow's runs are sent to the organization's webhook endpoints."),
    model_metadata: example(ModelMetadata.nullable(), {
      provider: "anthropic",
      model: "claude-sonnet-4-5",
    }).describe("The model that decides; null if a configuration names it, or nothing does."),
    model_configuration_id: z
      .guid()
      .nullable()
      .describe(
        "The configuration of the model that decides; null if `model_metadata` names the model, or nothing does.",
      ),
    fallback_model_configuration_ids: example(z.array(z.guid()), []).describe(
      "Configurations to try, in this order, when the provider of `model_configuration_id` is away or refuses.",
    ),
    ...otherModelNames,
    executor: Executor.describe("The party that carries out the workflow's runs."),
    replay: Replay.describe("The way in which the workflow's runs use its main approved trajectory."),
    leave: Leave.describe("The state in which the workflow's runs leave the desktop."),
    on_hold_timeout: OnHoldTimeout.describe(
      "The end of a hold of the workflow's runs that nobody resumes in time.",
    ),
    may_ask: z.boolean().describe("Whether the model may hold a run by asking a person."),
    allow_shell: z
      .boolean()
      .describe("Whether runs may use the action `shell`, and files outside ~/Transfers."),
    keep_screenshots: z.boolean().describe("Whether the pictures of steps are kept."),
    max_steps: example(z.int(), 100).describe("Largest number of steps that a run may take."),
    max_duration_seconds: example(z.int(), 3_600).describe("Longest time that a run may take, in seconds."),
    max_tokens: z
      .int()
      .nullable()
      .describe(
        "Largest number of tokens, input and output, that all calls to models of a run may take; null for no bound.",
      ),
    metadata: metadataFields.answered,
    user_id: z.guid().describe("The user whose API key or session created the workflow."),
    organization_id: OrganizationId.describe("The organization that the workflow belongs to."),
    includes_input_variables: z
      .boolean()
      .describe(
        "Whether the prompt names a `{variable}` or a `{$secret}`. `{exports}` does not count in a workflow with file exports, since it is the service's own.",
      ),
    created_at: z.iso.datetime().describe("Time at which the workflow was created."),
    updated_at: z.iso.datetime().describe("Time at which one of the workflow's own fields was last changed."),
    tags: z.array(WorkflowTag).describe("The workflow's tags."),
  })
  .describe("A task to automate, which runs execute on machines.");
export type Workflow = z.infer<typeof Workflow>;

export const IncludedWorkflow = Workflow.omit({ tags: true })
  .extend({
    type: z.literal("workflow").describe("The constant `workflow`, which tells included resources apart."),
  })
  .describe("A workflow beside the resource requested.");
export type IncludedWorkflow = z.infer<typeof IncludedWorkflow>;

export const WorkflowResponse = Workflow.extend({
  included: z
    .array(IncludedTag)
    .optional()
    .describe("The workflow's tags again; present when `include` names them."),
}).describe("A workflow, with the related resources requested.");

export const WorkflowItem = Workflow.partial({ tags: true }).describe(
  "A workflow in a list, with `tags` when `include` or `include_tags` asks for them.",
);
export type WorkflowItem = z.infer<typeof WorkflowItem>;

export const WorkflowList = listOf(WorkflowItem, IncludedTag).describe("A page of workflows, newest first.");
export type WorkflowList = z.infer<typeof WorkflowList>;

export const WorkflowVersionsQuery = z.strictObject({ ...pageQuery });

export const WorkflowVersion = z
  .strictObject({
    id: z.uuid().describe("The id of the earlier prompt."),
    workflow_id: z.uuid().describe("The workflow that had the prompt."),
    main_prompt: example(z.string(), "Enter the invoice of {customer}.").describe(
      "The prompt in words, with `{variable}` and `{$secret}` for inputs.",
    ),
    created_at: z.iso.datetime().describe("Time at which the text became the workflow's prompt."),
    replaced_at: z.iso.datetime().describe("Time at which the next prompt took its place."),
  })
  .describe("An earlier prompt of a workflow.");
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;
