import { exportsName, placeholdersIn } from "../../vocabulary/placeholders.ts";
import { secretOf } from "../placeholder/fill-in.ts";
import type { PromptImageStore } from "../prompt-image/prompt-image-deps.ts";
import { boundsOf } from "../run/override-run.ts";
import type { Run } from "../run/run.ts";
import { hasOtherNamedInputs, textsOf } from "../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { ReplayableTrajectory } from "../trajectory/trajectory-element.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import { aliasesOf, missingNames } from "./missing-names.ts";
import { noTrajectory, outcomeOfModel, wayBack } from "./outcome-of-model.ts";
import { noPlan, type Plan, type PlannedModel, type Refusal } from "./plan.ts";
import { planImages } from "./plan-images.ts";
import { type ChooseModelDeps, reasonAgainst } from "./plan-model.ts";
import { type ReadTrajectoryDeps, readTrajectory, reasonNotToReplay } from "./read-trajectory.ts";
import { type PlanFilesDeps, planFiles, type RunFiles } from "./run-files.ts";

export interface PlanDeps extends Omit<PlanFilesDeps, "files"> {
  readonly files: PlanFilesDeps["files"] & ReadTrajectoryDeps["files"];
  readonly trajectoryReader: ReadTrajectoryDeps["trajectoryReader"];
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findMain">;
  readonly promptImages: Pick<PromptImageStore, "findMany">;
  /** @default none, and then no run can use a model */
  readonly models?: ChooseModelDeps;
}

export interface PlanInput {
  readonly run: Run;
  readonly startedAt: string;
  readonly stepsBefore: number;
  readonly programs: () => Promise<readonly string[]>;
}

export async function makePlan(
  deps: PlanDeps,
  { run, programs, ...began }: PlanInput,
): Promise<{ readonly kind: "plan"; readonly plan: Plan } | Refusal> {
  const [workflow, named] = await Promise.all([
    deps.workflows.find(run.organizationId, run.workflowId),
    findTrajectory(deps, run),
  ]);
  if (workflow === undefined) {
    return noPlan("trajectory_missing", "the workflow was deleted before the run began");
  }
  const isVerification = run.trajectoryId !== null;
  const mayUseModel = !isVerification && workflow.replay !== "only";
  const choice = mayUseModel ? await deps.models?.choose(run, workflow) : undefined;
  const chosen = typeof choice === "object" ? choice : undefined;
  const found = isVerification || workflow.replay !== "never" ? named : undefined;
  if (found === undefined && choice === "model_configuration_missing") {
    const error = "the model configuration that the run goes by is not there any more: name another one";
    return noPlan(choice, error);
  }
  if (workflow.replay === "never" && !isVerification && chosen === undefined) {
    const error = "the workflow's replay is never, and there is no model that could act";
    return noPlan("trajectory_needs_model", error);
  }
  if (found === undefined && chosen === undefined) {
    const error = isVerification
      ? "the trajectory was deleted before the run began"
      : noWayToAct(workflow.replay);
    return noPlan("trajectory_missing", error);
  }
  const read = named && (await readTrajectory(deps, named, run));
  if (found !== undefined && read?.kind === "refused") return read;
  const whole = read?.kind === "whole" ? read : undefined;
  const notReplayed = whole && found && reasonNotToReplay(whole.all, found, run);
  if (notReplayed !== undefined && chosen === undefined) return noPlan("input_not_recorded", notReplayed);
  const trajectory = notReplayed === undefined ? found : undefined;
  const builtIn = workflow.includesFileExports ? [exportsName] : [];
  const ofModel = named && whole ? outcomeOfModel(whole.trajectory, named, run, builtIn) : noTrajectory;
  const goesBy = trajectory && whole ? whole : { trajectory: ofModel, needs: undefined };
  const problem = missingNames(goesBy.trajectory, run, builtIn);
  if (problem !== undefined) return noPlan("input_missing", problem);
  const planned = chosen && {
    choices: [chosen.main, ...chosen.fallbacks],
    prompt: chosen.prompt,
    maxTokens: chosen.maxTokens,
  };
  const unable = planned && (await reasonAgainst(deps.models, planned, run, builtIn));
  // A replay that turns out to need no model needs no key.
  const readsOff = goesBy.trajectory.elements.some(({ isFromScreen }) => isFromScreen === true);
  if (unable && (trajectory === undefined || goesBy.needs !== undefined || readsOff)) return unable;
  if (planned === undefined && goesBy.needs !== undefined) return goesBy.needs;
  const beside = planned && {
    images: await planImages(deps, run.organizationId, planned.prompt),
    programs: await programs(),
  };
  const model = planned && beside && !unable ? { ...planned, ...beside } : null;
  const runFiles = await planFiles(deps, run, workflow);
  if (runFiles.kind === "gone") return noPlan("file_failed", runFiles.error);
  const { files } = runFiles;
  const isModels = trajectory === undefined && workflow.leave === "reset";
  const back = isModels && whole ? wayBack(whole.trajectory, run, builtIn) : undefined;
  const parts = {
    run,
    workflow,
    trajectory,
    whole: { ...goesBy.trajectory, ...back },
    model,
    files,
    ...began,
  };
  return { kind: "plan", plan: { ...planOf(parts), ...(notReplayed !== undefined && { notReplayed }) } };
}

/** A workflow with a prompt alone has no model unless it, the run or the organization's models name one. */
function noWayToAct(replay: Workflow["replay"]): string {
  const approve = "approve a trajectory of the workflow and make it main";
  if (replay === "only") return `there is nothing to replay (replay is only): ${approve}`;
  return `there is nothing to replay and no model that could act: ${approve}, or name a model (model_metadata or model_configuration_id of the workflow or the run)`;
}

async function findTrajectory(
  { trajectories }: Pick<PlanDeps, "trajectories">,
  { organizationId, trajectoryId, workflowId }: Run,
): Promise<Trajectory | undefined> {
  return trajectoryId === null
    ? await trajectories.findMain(organizationId, workflowId)
    : await trajectories.find(organizationId, trajectoryId);
}

/** The second replay must start from the state that the first has left. */
const verificationRounds = 2;

/** A trajectory whose content has changed since the run's start is not verified. */
export function replayedContent({ data, screens, dimensions }: Trajectory): string {
  return JSON.stringify([data, screens, dimensions]);
}

interface PlanParts extends Pick<PlanInput, "run" | "startedAt" | "stepsBefore"> {
  readonly workflow: Workflow;
  readonly trajectory: Trajectory | undefined;
  readonly whole: ReplayableTrajectory;
  readonly model: PlannedModel | null;
  readonly files: RunFiles;
}

function planOf({ run, workflow, trajectory, whole, model, files, startedAt, stepsBefore }: PlanParts): Plan {
  const texts = [
    ...(model === null ? [] : [model.prompt]),
    ...[...whole.elements, ...(whole.reset ?? [])].flatMap(({ action }) => textsOf(action)),
  ];
  const named = texts.flatMap(placeholdersIn).filter(({ isSecret }) => isSecret);
  const { id, outputSchema, mayAsk, allowShell, keepScreenshots, onHoldTimeout } = workflow;
  const settings = { id, outputSchema, mayAsk, allowShell, keepScreenshots, onHoldTimeout };
  const { maxSteps, maxDurationSeconds } = boundsOf(run, workflow);
  const isWhole = run.trajectoryId !== null && run.dryRunUntil === null;
  const rounds = isWhole ? verificationRounds : 1;
  const recorded = { original: trajectory?.originalInputValues ?? null, elements: whole.elements };
  const isVerified = isWhole && trajectory !== undefined && hasOtherNamedInputs(recorded, run.inputValues);
  return {
    workflow: { ...settings, maxSteps, maxDurationSeconds },
    trajectoryId: trajectory?.id ?? null,
    verifies: isVerified ? { content: replayedContent(trajectory) } : null,
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
    endsAtMs: Date.parse(startedAt) + maxDurationSeconds * rounds * 1_000,
  };
}
