import type {
  IncludedRelated,
  RunField,
  RunItem,
  CreatedRuns as WireCreatedRuns,
  Run as WireRun,
} from "../contract/run/run.ts";
import type { Caller } from "../domain/access/caller.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { CreatedRuns } from "../domain/run/create/create-runs.ts";
import type { Related, RelatedKind } from "../domain/run/related-to-runs.ts";
import type { Run } from "../domain/run/run.ts";
import type { Waiting } from "../domain/run/waiting/explain-waiting.ts";
import type { Progress } from "../domain/run-progress/explain-progress.ts";
import { queuePositionMax } from "../vocabulary/runs.ts";
import { presentHeld } from "./present-held.ts";
import { presentIncludedMachine } from "./present-machine.ts";
import { presentModels } from "./present-models.ts";
import { presentIncludedPool } from "./present-pool.ts";
import { presentWorkflow } from "./present-workflow.ts";

export interface ListedRun {
  readonly run: Run;
  readonly outputData: Json;
  readonly isOmitted: boolean;
}

export interface HeavyValues {
  readonly mainPrompt: Json;
  readonly outputData: Json;
  readonly runMessageHistory: Json;
}

export function presentRun(
  run: Run,
  heavy: HeavyValues,
  {
    waiting,
    progress,
  }: { readonly waiting?: Waiting | undefined; readonly progress?: Progress | undefined } = {},
): WireRun {
  return {
    ...presentLight(run),
    main_prompt: typeof heavy.mainPrompt === "string" ? heavy.mainPrompt : null,
    output_data: heavy.outputData,
    run_message_history: Array.isArray(heavy.runMessageHistory) ? [...heavy.runMessageHistory] : null,
    waiting_reason: waiting?.reason ?? null,
    queue_position: waiting === undefined ? null : presentPosition(waiting),
    progress: progress === undefined ? null : presentProgress(progress),
  };
}

function presentPosition({ position }: Waiting): WireRun["queue_position"] {
  return position === "more" ? `${queuePositionMax}+` : position;
}

function presentProgress({ step, of, lastAction, at }: Progress): WireRun["progress"] {
  return { step, of, last_action: lastAction, at };
}

/** GET of one run reads these fields in addition to the run. */
const beside = { waiting_reason: null, queue_position: null, progress: null };

/** A run that does not wait has no waiting reason, and so on. */
function besideOf({ status, executor }: Pick<Run, "status" | "executor">): readonly (keyof typeof beside)[] {
  if (status === "scheduling") return ["waiting_reason", "queue_position"];
  return status === "running" && executor === "service" ? ["progress"] : [];
}

type Light = Omit<WireRun, "main_prompt" | "output_data" | "run_message_history" | keyof typeof beside>;

function presentLight(run: Run): Light {
  const { fallbackModelConfigurationIds: fallbacks } = run.overrides;
  return {
    id: run.id,
    workflow_id: run.workflowId,
    machine_id: run.machineId,
    status: run.status,
    held: presentHeld(run.held),
    is_priority: run.isPriority,
    executor: run.executor,
    ...presentModels(run.overrides),
    fallback_model_configuration_ids: fallbacks && [...fallbacks],
    trajectory_id: run.trajectoryId,
    schedule_id: run.scheduleId,
    dry_run_until: run.dryRunUntil,
    user_id: run.userId,
    organization_id: run.organizationId,
    input_values: { ...run.inputValues },
    sensitive_input_aliases: Object.fromEntries(run.sensitiveAliases.map((name) => [name, name])),
    error: [...run.error],
    error_code: run.errorCode,
    pool_ids: [...run.poolIds],
    assignment_id: run.assignmentId,
    session_id: run.sessionId,
    session_alias: run.sessionAlias,
    release_session_after: run.releaseSessionAfter,
    input_attachment_ids: [...run.inputAttachmentIds],
    output_attachment_ids: [...run.outputAttachmentIds],
    usage_metadata: copied(run.usageMetadata),
    metadata: { ...run.metadata },
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    revision: run.revision,
  };
}

function copied(object: JsonObject | null): Record<string, unknown> | null {
  return object === null ? null : { ...object };
}

const alwaysThere: readonly RunField[] = ["id", "workflow_id", "machine_id", "status", "created_at"];

export function presentListed({ run, outputData, isOmitted }: ListedRun): RunItem {
  return {
    ...presentLight(run),
    main_prompt: null,
    output_data: outputData,
    run_message_history: null,
    ...beside,
    omitted_fields: [
      ...promptOmitted(run),
      ...(isOmitted ? (["output_data"] as const) : []),
      "run_message_history",
      ...besideOf(run),
    ],
  };
}

function promptOmitted({ overrides }: Pick<Run, "overrides">): readonly "main_prompt"[] {
  return overrides.mainPrompt === null ? [] : ["main_prompt"];
}

export function presentRunItem(run: Run, heavy: HeavyValues, fields: readonly RunField[]): RunItem {
  const {
    waiting_reason: _reason,
    queue_position: _position,
    progress: _progress,
    ...whole
  } = presentRun(run, heavy);
  const named = new Set<string>([...alwaysThere, ...fields]);
  // Includes the fields of `alwaysThere`.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => named.has(name))) as RunItem;
}

/** A thousand inputs of 64 KB exceed a response. */
const knownToCaller = [
  "input_values",
  "sensitive_input_aliases",
  "main_prompt",
  "model_metadata",
  "model_configuration_id",
  "fallback_model_configuration_ids",
  "main_agent_model_id",
  "fallback_model_1_id",
  "fallback_model_2_id",
] as const satisfies readonly RunField[];

/** Omits what the caller has sent. */
export function presentCreatedRuns({ common, runs, failedCount, errors }: CreatedRuns): WireCreatedRuns {
  const known = new Set<string>(knownToCaller);
  return {
    created_runs: runs.map((own) => {
      const whole = presentLight({ ...common, ...own });
      const item = Object.fromEntries(Object.entries(whole).filter(([name]) => !known.has(name)));
      const nothing = { output_data: null, run_message_history: null, ...beside };
      // The fields that every item has are none of those.
      return {
        ...(item as Omit<Light, (typeof knownToCaller)[number]>),
        ...nothing,
        omitted_fields: [...knownToCaller, ...besideOf(whole)],
      };
    }),
    failed_count: failedCount,
    errors: [...errors],
  };
}

/** Lists each related resource once. Pools are listed beside machines only when requested separately. */
export function presentIncluded(
  caller: Caller,
  related: Related,
  kinds: readonly RelatedKind[],
): IncludedRelated[] {
  const pools = kinds.includes("machine.pools") ? [...related.pools.values()] : [];
  return [
    ...related.workflows.map((workflow) => ({ type: "workflow" as const, ...presentWorkflow(workflow) })),
    ...related.machines.map((machine) => presentIncludedMachine(caller, machine, related.pools)),
    ...pools.map(presentIncludedPool),
  ];
}
