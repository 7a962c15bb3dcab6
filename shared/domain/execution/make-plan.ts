import type { Json } from "../json.ts";
import type { Run } from "../run/run.ts";
import { unspill } from "../spill.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { ReplayableTrajectory } from "../trajectory/trajectory-element.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Execution, ExecutionJob, RunEnding } from "./execution.ts";
import { exportsName, planFiles, type RunFiles } from "./files/run-files.ts";
import { missingNames } from "./missing-names.ts";
import type { Plan } from "./plan.ts";
import { failure } from "./step-result.ts";
import type { ExecutorDeps } from "./world.ts";

export type MadePlan =
  | { readonly kind: "plan"; readonly plan: Plan }
  /** It cannot be carried out. */
  | { readonly kind: "end"; readonly end: RunEnding }
  | { readonly kind: "stopped" };

/** What the run goes by, as it is now. */
export async function makePlan(
  deps: ExecutorDeps,
  { organizationId, runId, assignmentId }: ExecutionJob,
  execution: Execution,
  stepsBefore: number,
): Promise<MadePlan> {
  const run = await deps.runs.find(organizationId, runId);
  if (run?.assignmentId !== assignmentId || run.status !== "running") return { kind: "stopped" };
  const workflow = await deps.workflows.find(organizationId, run.workflowId);
  if (workflow === undefined) {
    return ends("trajectory_missing", "the workflow was deleted before the run began");
  }
  if (workflow.replay === "never") {
    return ends(
      "trajectory_needs_model",
      "the workflow's replay is never, and there is no model that could act",
    );
  }
  const trajectory = await deps.trajectories.findMain(organizationId, workflow.id);
  if (trajectory === undefined) {
    return ends(
      "trajectory_missing",
      "the workflow has no main approved trajectory: approve one, and make it main",
    );
  }
  const read = await readWhole(deps, trajectory);
  if (read.kind === "end") return read;
  const problem = missingNames(read.trajectory, run, workflow.includesFileExports ? [exportsName] : []);
  if (problem !== undefined) return ends("input_missing", problem);
  const planned = await planFiles(deps, run, workflow);
  if (planned.kind === "gone") return ends("file_failed", planned.error);
  return {
    kind: "plan",
    plan: planOf({
      run,
      workflow,
      trajectory,
      whole: read.trajectory,
      files: planned.files,
      execution,
      stepsBefore,
    }),
  };
}

function ends(errorCode: Parameters<typeof failure>[0], error: string): MadePlan & { readonly kind: "end" } {
  return { kind: "end", end: failure(errorCode, error) };
}

async function readWhole(
  deps: ExecutorDeps,
  { data, dimensions, screens: stored }: Trajectory,
): Promise<
  | { readonly kind: "whole"; readonly trajectory: ReplayableTrajectory }
  | (MadePlan & { readonly kind: "end" })
> {
  const values = await unspill(deps, data);
  const elements: ReplayableTrajectory["elements"][number][] = [];
  for (const [at, value] of (Array.isArray(values) ? (values as readonly Json[]) : []).entries()) {
    const read = deps.trajectoryReader.readElement(value);
    if (read.kind === "unreadable") {
      return ends(
        "trajectory_invalid",
        `element ${at} of the main trajectory cannot be replayed: ${read.reason}`,
      );
    }
    const { by, action } = read.element;
    if (by === "model" || action.type === "read") {
      return ends(
        "trajectory_needs_model",
        `element ${at} of the main trajectory has to be decided by a model`,
      );
    }
    elements.push(read.element);
  }
  if (elements.length === 0) return ends("trajectory_invalid", "the main trajectory has no elements");
  const screens = deps.trajectoryReader.readScreens({
    dimensions,
    screens: await unspill(deps, stored),
  });
  if (screens.checks.some(({ kind }) => kind === "sentence")) {
    return ends("trajectory_needs_model", "a check of the main trajectory has to be judged by a model");
  }
  return { kind: "whole", trajectory: { elements, ...screens } };
}

function planOf({
  run,
  workflow,
  trajectory,
  whole,
  files,
  execution,
  stepsBefore,
}: {
  readonly run: Run;
  readonly workflow: Workflow;
  readonly trajectory: Trajectory;
  readonly whole: ReplayableTrajectory;
  readonly files: RunFiles;
  readonly execution: Execution;
  readonly stepsBefore: number;
}): Plan {
  const { id, outputSchema, replay, allowShell, keepScreenshots, maxSteps, maxDurationSeconds } = workflow;
  return {
    workflow: { id, outputSchema, replay, allowShell, keepScreenshots, maxSteps, maxDurationSeconds },
    trajectoryId: trajectory.id,
    trajectory: whole,
    inputValues: run.inputValues,
    files,
    aliases: [...new Set([...run.sensitiveAliases, ...Object.keys(run.inheritedSecrets)])],
    attempt: run.attempt,
    stepsBefore,
    endsAtMs: Date.parse(execution.startedAt) + maxDurationSeconds * 1_000,
  };
}
