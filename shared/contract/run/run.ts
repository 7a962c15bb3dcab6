import * as z from "zod";
import { keyWaitsMax, organizationWaitsMax, waitSecondsMax } from "../../vocabulary/following.ts";
import { runErrorMeanings } from "../../vocabulary/run-error-codes.ts";
import {
  otherSortModes,
  queuePositionMax,
  type RunSortMode,
  runSortModes,
  runStatuses,
  waitingReasons,
} from "../../vocabulary/runs.ts";
import {
  afterQuery,
  createdQuery,
  fieldsQuery,
  includeQuery,
  listOf,
  OrganizationId,
  omittedFields,
  pageQuery,
  queryInt,
  refuseSkipBesideAfter,
  refuseValue,
  skipOrAfter,
  Uuid,
} from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { metadataFields } from "../fields/metadata.ts";
import { otherModelNames } from "../fields/model-names.ts";
import { anyOf, queryBoolean } from "../fields/query-values.ts";
import { text } from "../fields/text.ts";
import { Held } from "../held.ts";
import { IncludedPool } from "../machine.ts";
import { ModelMetadata } from "../model-configuration.ts";
import { IncludedMachine } from "../pool.ts";
import { Executor, IncludedWorkflow } from "../workflow.ts";
import { RunOverrides } from "./run-bodies.ts";

export const RunStatus = z
  .enum(runStatuses)
  .describe("The state of a run: it waits (`scheduling`), runs, or has ended in one of four ways.");

const include = includeQuery("workflow", "machine", "machine.pools").optional();

/** A follower names what it has, and the response comes as soon as there is more. */
export const waitQuery = {
  get wait_seconds() {
    return example(queryInt(0, waitSecondsMax).default(0), waitSecondsMax).describe(
      `Longest time to wait for more, in seconds. At most ${keyWaitsMax} requests of an API key or a user wait, ${organizationWaitsMax} of an organization and a share of the deployment's; a further one is answered at once, with \`Retry-After\`.`,
    );
  },
};

export const RunQuery = z.strictObject({
  include,
  revision: example(queryInt(0, Number.MAX_SAFE_INTEGER).default(0), 3).describe(
    "The revision that the caller has: with `wait_seconds` the response comes as soon as the run's is higher, and at once if the run has ended.",
  ),
  ...waitQuery,
});

export const WaitingReason = z.enum(waitingReasons).describe("The reason why a run waits.");

export const RunProgress = z
  .strictObject({
    step: example(z.int().min(1), 4).describe(
      "The element of the replayed trajectory that is under way, counted from 1; else the last step begun in this attempt.",
    ),
    of: example(z.int().min(1), 100).describe(
      "The number of elements of the replayed trajectory; else the run's `max_steps`.",
    ),
    last_action: example(z.string(), "click the field Customer").describe(
      "The type of the last action, and what it acts on if that is known.",
    ),
    at: z.iso.datetime().describe("Time at which the last action began."),
  })
  .describe("The progress of a run that the service carries out.");

export const Run = z
  .strictObject({
    id: z.uuid().describe("The run's id."),
    workflow_id: z.guid().describe("The workflow that the run executes."),
    machine_id: z
      .guid()
      .nullable()
      .describe("The machine that has the run, or that it waits for; null while it has none and names none."),
    status: RunStatus.meta({
      description: "The run's status; it has ended with all but `scheduling` and `running`.",
      examples: ["success"],
    }),
    held: example(Held.nullable(), null).describe(
      "The hold of the run, which stands still until it is resumed; null while it is not held. A held run is `running`.",
    ),
    is_priority: z
      .boolean()
      .describe("Whether the run waits before every run of the organization that has no priority."),
    executor: Executor.describe("The party that carries out the run, as the workflow had it at creation."),
    main_prompt: z
      .string()
      .nullable()
      .describe("The task that the run was given in place of its workflow's prompt; null for that."),
    model_metadata: example(ModelMetadata.nullable(), null).describe(
      "The model that the run was given in place of its workflow's; null for that, or if a configuration names it.",
    ),
    model_configuration_id: z
      .guid()
      .nullable()
      .describe("The configuration that the run was given in place of its workflow's; null for that."),
    fallback_model_configuration_ids: example(z.array(z.guid()).nullable(), null).describe(
      "The configurations to try next that the run was given in place of its workflow's; null for those.",
    ),
    ...otherModelNames,
    trajectory_id: z
      .guid()
      .nullable()
      .describe("The trajectory that a verifying run replays, and nothing else; null for other runs."),
    schedule_id: z
      .guid()
      .nullable()
      .describe("The schedule that started the run, at its time or by `run-now`; null for other runs."),
    dry_run_until: z
      .int()
      .min(0)
      .nullable()
      .describe(
        "The index of the element before which a verifying run stops, counted from 0 (sentences count from 1); null if it does not, and for other runs.",
      ),
    user_id: z.guid().describe("The user whose API key or session created the run."),
    organization_id: OrganizationId.describe("The organization that the run belongs to."),
    input_values: example(z.record(z.string(), z.unknown()), { customer: "Miller" }).describe(
      "The run's inputs, by name.",
    ),
    sensitive_input_aliases: example(z.record(z.string(), z.string()), { password: "password" }).describe(
      "Aliases of the run's secret inputs, each mapped to itself; only the machine that has the run gets a value.",
    ),
    output_data: example(z.unknown(), { number: "2026-0417" }).describe(
      "The run's output, any JSON value; null before the run has one.",
    ),
    error: example(z.array(z.string()), []).describe(
      "The reasons why the run did not succeed, in sentences for people.",
    ),
    error_code: z
      .string()
      .nullable()
      .describe(
        `The reason why the run did not succeed, for programs; null if it has none. More codes may come. ${Object.entries(
          runErrorMeanings,
        )
          .map(([code, meaning]) => `${code}: ${meaning}`)
          .join("; ")}.`,
      ),
    pool_ids: z.array(z.guid()).describe("The pools that the run names: its machine is in all of them."),
    assignment_id: z
      .guid()
      .nullable()
      .describe("The id of the run's current attempt; null before a machine has the run."),
    session_id: z.guid().nullable().describe("The session that the run belongs to; null without one."),
    session_alias: z
      .string()
      .nullable()
      .describe("The name of the run's session, for people; null without a name."),
    release_session_after: z.boolean().describe("Whether the session ends with the run."),
    input_attachment_ids: z.array(z.guid()).describe("The attachments that go into the run."),
    output_attachment_ids: z.array(z.guid()).describe("The attachments that came out of the run."),
    run_message_history: example(z.array(z.unknown()).nullable(), null).describe(
      "The conversation with the model, each message any JSON value; null if there is none.",
    ),
    usage_metadata: example(z.record(z.string(), z.unknown()).nullable(), {
      input_tokens: 12_400,
      output_tokens: 830,
    }).describe("The usage of models; null while that is unknown."),
    metadata: metadataFields.answered,
    created_at: z.iso.datetime().describe("Time at which the run was created."),
    started_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:02.000Z").describe(
      "Time at which a machine began the run; null before.",
    ),
    revision: example(z.int().min(1), 3).describe(
      "Number that rises with every change of the run itself, of which `waiting_reason`, `queue_position`, `progress` and steps are none.",
    ),
    ended_at: example(z.iso.datetime().nullable(), "2026-11-21T12:01:14.000Z").describe(
      "Time at which the run ended; null before.",
    ),
    waiting_reason: WaitingReason.nullable().describe(
      "The reason why a scheduling run waits, which is what keeps the machine from it that is nearest to taking it: `all_busy` (it has another run), `reserved` (for another session, or its reservation is being cleared), `out_of_service` (its status is `error`, or `is_available` is false) or `all_disconnected`. `no_machine_matches`: there is none. `session_busy`: the machine of the run's own session has another run. `organization_limit`: a machine is free, but the service carries out as many of the organization's runs as it may. `service_limit`: it carries out as many runs of all organizations as it may, and those that wait get the next places in turn. Null for other runs, and if a machine is free and the run is about to begin; of more than 100 machines the newest 100 are read. Only GET of one run has it, and lists name it in `omitted_fields`.",
    ),
    queue_position: z
      .union([z.int().min(0).max(queuePositionMax), z.literal(`${queuePositionMax}+`)])
      .nullable()
      .describe(
        "Number of runs ahead of this one in its queue (of its session, machine, set of pools, or of any machine), those with priority first; a session that waits for a machine counts as one. Null whenever `waiting_reason` is.",
      ),
    progress: example(RunProgress.nullable(), null).describe(
      "The progress of a running run that the service carries out, after its first step; null otherwise. Only GET of one run has it, and lists name it in `omitted_fields`.",
    ),
  })
  .describe("One execution of a workflow on a machine.");
export type Run = z.infer<typeof Run>;

export const IncludedRelated = z
  .discriminatedUnion("type", [IncludedWorkflow, IncludedMachine, IncludedPool])
  .describe("A resource beside the one requested; `type` says which kind it is.");
export type IncludedRelated = z.infer<typeof IncludedRelated>;

export const RunResponse = Run.extend({
  included: z
    .array(IncludedRelated)
    .optional()
    .describe("The related resources that `include` asked for, each once; absent without `include`."),
}).describe("A run, with the related resources requested.");
export type RunResponse = z.infer<typeof RunResponse>;

/** Each of these fields costs calls of its own. */
const ofOneRun = { waiting_reason: true, queue_position: true, progress: true } as const;

export const RunField = Run.omit(ofOneRun).keyof().describe("The name of a field of a run.");
export type RunField = z.infer<typeof RunField>;

export const RunItem = Run.partial()
  .required({ id: true, workflow_id: true, machine_id: true, status: true, created_at: true })
  .extend({ omitted_fields: omittedFields(Run.keyof()) })
  .describe("A run in a list: all fields but those in `omitted_fields`, or the `fields` requested.");
export type RunItem = z.infer<typeof RunItem>;

export const CreatedRuns = z
  .strictObject({
    created_runs: z
      .array(RunItem)
      .describe(
        "The runs, in the request's order, without the inputs, prompt and models, which the caller sent.",
      ),
    failed_count: example(z.int().min(0), 0).describe("Number of runs that could not be created."),
    errors: example(z.array(z.string()), []).describe(
      "The reasons why runs could not be created, in sentences.",
    ),
  })
  .describe("The runs that a bulk request created.");
export type CreatedRuns = z.infer<typeof CreatedRuns>;

export const RunList = listOf(RunItem, IncludedRelated).describe(
  "A page of runs, newest first unless `sort_mode` says otherwise.",
);
export type RunList = z.infer<typeof RunList>;

export const RunsQuery = z
  .strictObject({
    ...pageQuery,
    ...afterQuery,
    include,
    workflow_id: anyOf(Uuid, "Only runs of this workflow are listed."),
    machine_id: anyOf(Uuid, "Only runs that this machine has, or that wait for it, are listed."),
    session_id: anyOf(Uuid, "Only runs of this session are listed."),
    status: anyOf(RunStatus, "Only runs with this status are listed."),
    waiting_for_person: queryBoolean
      .optional()
      .describe(
        "Only runs that are held, by a person or by a model that asks for one, are listed; or all others.",
      ),
    metadata: metadataFields.query,
    ...createdQuery,
    search: example(text(1, 255).optional(), "Miller").describe(
      "Only runs with this text in their input_values, output_data, error or session_alias are listed, ignoring case.",
    ),
    deep_search: queryBoolean
      .default(false)
      .describe(
        "Whether `search` also reads the whole output_data and run_message_history: of at most 500 runs and 100 MB that the other filters leave, else 422. It has no effect without `search`.",
      ),
    sort_mode: z
      .enum([...runSortModes, "created_at_desc", "activity"])
      .transform((mode) =>
        mode in otherSortModes ? otherSortModes[mode as keyof typeof otherSortModes] : (mode as RunSortMode),
      )
      .default("newest")
      .describe(
        "The order of the list: `active_first` puts scheduling and running runs before the others, each newest first. `activity` is another name of it, and `created_at_desc` one of `newest`.",
      ),
    fields: fieldsQuery(RunField)
      .optional()
      .describe(
        "Only these fields, with id, workflow_id, machine_id, status and created_at, are in each run; the parameter is repeated for each.",
      ),
  })
  .superRefine(refuseSkipBesideAfter)
  .superRefine(({ after, sort_mode }, context) => {
    if (after === undefined || sort_mode !== "active_first") return;
    const error =
      "runs come to and leave the first ones of active_first, so that there is no page after one: use skip";
    refuseValue(context, error, ["after"]);
  })
  .meta({ says: [skipOrAfter, "`after` is refused with `active_first`."] });
export type RunsQuery = z.infer<typeof RunsQuery>;

export const RunInputs = z
  .strictObject({
    assignment_id: z
      .guid()
      .describe("The id of the run's current attempt, which every later PATCH has to name."),
    input_values: example(z.record(z.string(), z.unknown()), { customer: "Miller" }).describe(
      "The inputs by name: the run's own, its machine's and its pools'.",
    ),
    sensitive_input_values: example(z.record(z.string(), z.string()), {
      password: "correct horse battery staple",
    }).describe("The secret inputs, by alias, with their current values."),
    overrides: RunOverrides.describe("The values that the run was given in place of its workflow's."),
  })
  .describe("Everything that a worker needs to carry out a run.");
export type RunInputs = z.infer<typeof RunInputs>;
