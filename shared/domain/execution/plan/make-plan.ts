import type { Json } from "../../json.ts";
import { exportsName, placeholdersIn, secretOf } from "../../placeholder/fill-in.ts";
import type { Plan, PlannedModel } from "../../plan/plan.ts";
import { planFiles, type RunFiles } from "../../plan/run-files.ts";
import { boundsOf } from "../../run/override-run.ts";
import type { Run } from "../../run/run.ts";
import { unspill } from "../../spill.ts";
import { resetProblem } from "../../trajectory/approval/reset-problem.ts";
import { textsOf } from "../../trajectory/names-in.ts";
import { hasOtherNamedInputs } from "../../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../../trajectory/trajectory.ts";
import type { ReplayableTrajectory, TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Execution } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { type Failure, failure } from "../step/step-result.ts";
import { aliasesOf, missingNames } from "./missing-names.ts";
import { reasonNotToReplay } from "./not-recorded.ts";
import { noTrajectory, outcomeOfModel } from "./outcome-of-model.ts";
import { planImages } from "./plan-images.ts";
import { plannedModel, reasonAgainst } from "./plan-model.ts";
import { replayedContent, verificationRounds } from "./verification.ts";
import { wayBack } from "./way-back.ts";

export type MadePlan =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "end"; readonly end: Failure };

export async function makePlan(
  deps: ExecutorDeps,
  run: Run,
  execution: Execution,
  stepsBefore: number,
): Promise<MadePlan> {
  const [workflow, named] = await Promise.all([
    deps.workflows.find(run.organizationId, run.workflowId),
    findTrajectory(deps, run),
  ]);
  if (workflow === undefined) {
    return ends("trajectory_missing", "the workflow was deleted before the run began");
  }
  const isVerification = run.trajectoryId !== null;
  const mayAsk = !isVerification && workflow.replay !== "only";
  const choice = mayAsk ? await deps.models?.choose(run, workflow) : undefined;
  const chosen = typeof choice === "object" ? choice : undefined;
  const found = isVerification || workflow.replay !== "never" ? named : undefined;
  if (found === undefined && choice === "model_configuration_missing") {
    return ends(
      choice,
      "the model configuration that the run goes by is not there any more: name another one",
    );
  }
  if (workflow.replay === "never" && !isVerification && chosen === undefined) {
    return ends(
      "trajectory_needs_model",
      "the workflow's replay is never, and there is no model that could act",
    );
  }
  if (found === undefined && chosen === undefined) {
    return ends(
      "trajectory_missing",
      isVerification
        ? "the trajectory was deleted before the run began"
        : "the workflow has no main approved trajectory: approve one, and make it main",
    );
  }
  const read = named && (await readWhole(deps, named, run));
  if (found !== undefined && read?.kind === "end") return read;
  const whole = read?.kind === "whole" ? read : undefined;
  const notReplayed = whole && found && reasonNotToReplay(whole.all, found, run);
  if (notReplayed !== undefined && chosen === undefined) return ends("input_not_recorded", notReplayed);
  const trajectory = notReplayed === undefined ? found : undefined;
  const builtIn = workflow.includesFileExports ? [exportsName] : [];
  const ofModel = named && whole ? outcomeOfModel(whole.trajectory, named, run, builtIn) : noTrajectory;
  const goesBy = trajectory && whole ? whole : { trajectory: ofModel, needs: undefined };
  const problem = missingNames(goesBy.trajectory, run, builtIn);
  if (problem !== undefined) return ends("input_missing", problem);
  const planned = chosen === undefined ? null : plannedModel(chosen);
  const unable = planned && (await reasonAgainst(deps, planned, run, builtIn));
  // A replay that turns out to need no model needs no key.
  const readsOff = goesBy.trajectory.elements.some(({ isFromScreen }) => isFromScreen === true);
  const cannot = trajectory === undefined || goesBy.needs !== undefined || readsOff ? unable : undefined;
  if (cannot) return { kind: "end", end: cannot };
  if (planned === null && goesBy.needs !== undefined) return { kind: "end", end: goesBy.needs };
  const images = planned === null ? [] : await planImages(deps, run.organizationId, planned.prompt);
  const programs = planned === null ? [] : await deps.openDesktop(execution).programs();
  const model = unable || planned === null ? null : { ...planned, images, programs };
  const runFiles = await planFiles(deps, run, workflow);
  if (runFiles.kind === "gone") return ends("file_failed", runFiles.error);
  const { files } = runFiles;
  const isModels = trajectory === undefined && workflow.leave === "reset";
  const back = isModels && whole ? wayBack(whole.trajectory, run, builtIn) : undefined;
  const pinned = { ...goesBy.trajectory, ...back };
  const parts = { run, workflow, trajectory, whole: pinned, model, files, execution, stepsBefore };
  return { kind: "plan", plan: { ...planOf(parts), ...(notReplayed !== undefined && { notReplayed }) } };
}

async function findTrajectory(
  { trajectories }: ExecutorDeps,
  { organizationId, trajectoryId, workflowId }: Run,
): Promise<Trajectory | undefined> {
  return trajectoryId === null
    ? await trajectories.findMain(organizationId, workflowId)
    : await trajectories.find(organizationId, trajectoryId);
}

function ends(errorCode: Failure["errorCode"], error: string): MadePlan & { readonly kind: "end" } {
  return { kind: "end", end: failure(errorCode, error) };
}

async function readWhole(
  deps: ExecutorDeps,
  { data, dimensions, screens: stored }: Trajectory,
  { trajectoryId, dryRunUntil }: Pick<Run, "trajectoryId" | "dryRunUntil">,
): Promise<
  | {
      readonly kind: "whole";
      readonly trajectory: ReplayableTrajectory;
      /** All elements, with those that a dry run leaves out. */
      readonly all: readonly TrajectoryElement[];
      readonly needs: Failure | undefined;
    }
  | (MadePlan & { readonly kind: "end" })
> {
  const values = await unspill(deps, data);
  const which = trajectoryId === null ? "the main trajectory" : "the trajectory";
  const read = readElements(deps, Array.isArray(values) ? (values as readonly Json[]) : [], `of ${which}`);
  if (read.kind === "end") return read;
  const all = read.elements;
  const elements = all.slice(0, dryRunUntil ?? undefined);
  const asked = elements.findIndex(({ by, action }) => by === "model" || action.type === "read");
  let needs =
    asked < 0
      ? undefined
      : failure("trajectory_needs_model", `element ${asked + 1} of ${which} has to be decided by a model`);
  if (elements.length === 0 && dryRunUntil === null) {
    return ends("trajectory_invalid", `${which} has no elements`);
  }
  const { reset, ...screens } = deps.trajectoryReader.readScreens({
    dimensions,
    screens: await unspill(deps, stored),
  });
  const back = readElements(deps, reset, `of the reset of ${which}`);
  if (back.kind === "end") return back;
  const unfit = back.elements.map(resetProblem).find((problem) => problem !== undefined);
  if (unfit !== undefined) return ends("trajectory_invalid", `the reset of ${which}: ${unfit.reason}`);
  const judged = dryRunUntil === null && screens.checks.some(({ kind }) => kind === "sentence");
  if (judged) {
    needs ??= failure(
      trajectoryId === null ? "trajectory_needs_model" : "check_needs_model",
      `a check of ${which} has to be judged by a model`,
    );
  }
  return { kind: "whole", trajectory: { elements, ...screens, reset: back.elements }, all, needs };
}

/** @param where follows "element 3" in an error. */
function readElements(
  { trajectoryReader }: Pick<ExecutorDeps, "trajectoryReader">,
  values: readonly Json[],
  where: string,
):
  | { readonly kind: "elements"; readonly elements: readonly TrajectoryElement[] }
  | (MadePlan & { readonly kind: "end" }) {
  const elements: TrajectoryElement[] = [];
  for (const [at, value] of values.entries()) {
    const read = trajectoryReader.readElement(value);
    if (read.kind === "unreadable") {
      return ends("trajectory_invalid", `element ${at + 1} ${where} cannot be replayed: ${read.reason}`);
    }
    elements.push(read.element);
  }
  return { kind: "elements", elements };
}

function planOf({
  run,
  workflow,
  trajectory,
  whole,
  model,
  files,
  execution,
  stepsBefore,
}: {
  readonly run: Run;
  readonly workflow: Workflow;
  readonly trajectory: Trajectory | undefined;
  readonly whole: ReplayableTrajectory;
  readonly model: PlannedModel | null;
  readonly files: RunFiles;
  readonly execution: Execution;
  readonly stepsBefore: number;
}): Plan {
  const texts = [
    ...(model === null ? [] : [model.prompt]),
    ...[...whole.elements, ...(whole.reset ?? [])].flatMap(({ action }) => textsOf(action)),
  ];
  const named = texts.flatMap(placeholdersIn).filter(({ isSecret }) => isSecret);
  const { id, outputSchema, allowShell, keepScreenshots } = workflow;
  const { maxSteps, maxDurationSeconds } = boundsOf(run, workflow);
  const rounds = run.trajectoryId !== null && run.dryRunUntil === null ? verificationRounds : 1;
  return {
    workflow: { id, outputSchema, allowShell, keepScreenshots, maxSteps, maxDurationSeconds },
    trajectoryId: trajectory?.id ?? null,
    verifies:
      trajectory !== undefined &&
      run.trajectoryId !== null &&
      run.dryRunUntil === null &&
      hasOtherNamedInputs(
        { original: trajectory.originalInputValues, elements: whole.elements },
        run.inputValues,
      )
        ? { content: replayedContent(trajectory) }
        : null,
    rounds,
    leave: workflow.leave,
    isDryRun: run.dryRunUntil !== null,
    trajectory: whole,
    model,
    inputValues: run.inputValues,
    files,
    aliases: aliasesOf(run).filter((alias) => named.some(({ name }) => secretOf(name, new Set([alias])))),
    attempt: run.attempt,
    stepsBefore,
    endsAtMs: Date.parse(execution.startedAt) + maxDurationSeconds * rounds * 1_000,
  };
}
