import type { Json } from "../../json.ts";
import type { Run } from "../../run/run.ts";
import { unspill } from "../../spill.ts";
import type { Trajectory } from "../../trajectory/trajectory.ts";
import type { ReplayableTrajectory } from "../../trajectory/trajectory-element.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Execution, ExecutionJob } from "../execution.ts";
import { exportsName, planFiles, type RunFiles } from "../files/run-files.ts";
import { type Failure, failure } from "../replay/step-result.ts";
import type { ExecutorDeps } from "../world.ts";
import { missingNames } from "./missing-names.ts";
import type { Plan } from "./plan.ts";
import { hasOtherInputs, replayedContent } from "./verification.ts";

export type MadePlan =
  | { readonly kind: "plan"; readonly plan: Plan }
  /** It cannot be carried out. */
  | { readonly kind: "end"; readonly end: Failure }
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
  const isVerification = run.trajectoryId !== null;
  if (workflow.replay === "never" && !isVerification) {
    return ends(
      "trajectory_needs_model",
      "the workflow's replay is never, and there is no model that could act",
    );
  }
  const trajectory =
    run.trajectoryId === null
      ? await deps.trajectories.findMain(organizationId, workflow.id)
      : await deps.trajectories.find(organizationId, run.trajectoryId);
  if (trajectory === undefined) {
    return ends(
      "trajectory_missing",
      isVerification
        ? "the trajectory was deleted before the run began"
        : "the workflow has no main approved trajectory: approve one, and make it main",
    );
  }
  const read = await readWhole(deps, trajectory, run);
  if (read.kind === "end") return read;
  const problem = missingNames(read.trajectory, run, workflow.includesFileExports ? [exportsName] : []);
  if (problem !== undefined) return ends("input_missing", problem);
  const planned = await planFiles(deps, run, workflow);
  if (planned.kind === "gone") return ends("file_failed", planned.error);
  const whole = read.trajectory;
  const { files } = planned;
  return { kind: "plan", plan: planOf({ run, workflow, trajectory, whole, files, execution, stepsBefore }) };
}

function ends(errorCode: Failure["errorCode"], error: string): MadePlan & { readonly kind: "end" } {
  return { kind: "end", end: failure(errorCode, error) };
}

async function readWhole(
  deps: ExecutorDeps,
  { data, dimensions, screens: stored }: Trajectory,
  { trajectoryId, dryRunUntil }: Pick<Run, "trajectoryId" | "dryRunUntil">,
): Promise<
  | { readonly kind: "whole"; readonly trajectory: ReplayableTrajectory }
  | (MadePlan & { readonly kind: "end" })
> {
  const values = await unspill(deps, data);
  const which = trajectoryId === null ? "the main trajectory" : "the trajectory";
  const wanted = (Array.isArray(values) ? (values as readonly Json[]) : []).slice(
    0,
    dryRunUntil ?? undefined,
  );
  const elements: ReplayableTrajectory["elements"][number][] = [];
  for (const [at, value] of wanted.entries()) {
    const read = deps.trajectoryReader.readElement(value);
    if (read.kind === "unreadable") {
      return ends("trajectory_invalid", `element ${at} of ${which} cannot be replayed: ${read.reason}`);
    }
    const { by, action } = read.element;
    if (by === "model" || action.type === "read") {
      return ends("trajectory_needs_model", `element ${at} of ${which} has to be decided by a model`);
    }
    elements.push(read.element);
  }
  if (elements.length === 0 && dryRunUntil === null) {
    return ends("trajectory_invalid", `${which} has no elements`);
  }
  const screens = deps.trajectoryReader.readScreens({
    dimensions,
    screens: await unspill(deps, stored),
  });
  const judged = dryRunUntil === null && screens.checks.some(({ kind }) => kind === "sentence");
  if (judged) {
    return ends(
      trajectoryId === null ? "trajectory_needs_model" : "check_needs_model",
      `a check of ${which} has to be judged by a model`,
    );
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
  const { id, outputSchema, allowShell, keepScreenshots, maxSteps, maxDurationSeconds } = workflow;
  return {
    workflow: { id, outputSchema, allowShell, keepScreenshots, maxSteps, maxDurationSeconds },
    trajectoryId: trajectory.id,
    verifies:
      run.trajectoryId !== null &&
      run.dryRunUntil === null &&
      hasOtherInputs(run, trajectory.originalInputValues, whole.elements)
        ? { content: replayedContent(trajectory) }
        : null,
    isDryRun: run.dryRunUntil !== null,
    trajectory: whole,
    inputValues: run.inputValues,
    files,
    aliases: [...new Set([...run.sensitiveAliases, ...Object.keys(run.inheritedSecrets)])],
    attempt: run.attempt,
    stepsBefore,
    endsAtMs: Date.parse(execution.startedAt) + maxDurationSeconds * 1_000,
  };
}
