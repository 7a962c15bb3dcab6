import { UnreadablePicture } from "../../picture/picture-codec.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { triesMax } from "../engine/tries.ts";
import type { Cursor, RunStep } from "../execution.ts";
import { putNextFile } from "../files/put-files.ts";
import { removeNextFile } from "../files/remove-files.ts";
import { stepsBeforeActions } from "../files/run-files.ts";
import { seeToFiles } from "../files/see-to-files.ts";
import { takeNextFile } from "../files/take-files.ts";
import { modelInUse, takeModelStep } from "../model/take-model-step.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redact } from "../texts/redact.ts";
import { refusalOf } from "../tunnel-desktop.ts";
import type { World } from "../world.ts";
import { actStep } from "./act-step.ts";
import { finishStep } from "./finish-step.ts";
import { durableSeconds, quietStep } from "./quiet-step.ts";
import { resumeStep } from "./resume-step.ts";
import { wordsFor } from "./shown-action.ts";
import { failure, placeAfter, type StepResult } from "./step-result.ts";

/** So much of an invocation is left for one more step: the longest wait for a screen, the calls and the records. */
const stepMs = 150_000;

/** Failures of the service's own before a run is given up; the waits between them are about ten minutes. */
const failuresMax = 12;

/** The same of a desktop that answers, but nothing that can be used. */
const failuresOfDesktopMax = 3;

/** Takes one step of a replay. Never throws: a step says what happened. */
export async function takeStep(world: World, cursor: Cursor): Promise<StepResult> {
  try {
    const result = await seeToFiles(world, cursor, await oneStep(world, cursor));
    return result.kind === "next" && world.durable.remainingMs() < stepMs
      ? { ...result, yields: true }
      : result;
  } catch (cause) {
    return await seeToFiles(world, cursor, await failedStep(world, cursor, cause));
  }
}

async function oneStep(world: World, cursor: Cursor): Promise<StepResult> {
  const { deps, plan, job } = world;
  const { phase, end } = cursor.files;
  if (phase === "take" && end !== null) return await takeNextFile(world, cursor, end);
  if (phase === "remove" && end !== null) return await removeNextFile(world, cursor, end);
  const limit = limitReached(world, cursor);
  if (limit !== undefined) return { kind: "end", end: failure("limit_reached", limit), cursor };
  const put = phase === "put" ? await putNextFile(world, cursor) : undefined;
  if (put !== undefined) return put;
  const model = modelInUse(world, cursor);
  if (model !== undefined) return await takeModelStep(world, cursor, model);
  const element = plan.trajectory.elements[cursor.element];
  if (element === undefined) {
    return plan.isDryRun
      ? { kind: "end", end: { status: "success", errorCode: null, error: null }, cursor }
      : await finishStep(world, cursor, undefined);
  }
  const under = await deps.executions.countTry({ ...job, index: cursor.index });
  if (under.tries > triesMax) {
    const error = `step ${cursor.index} (${wordsFor(element.action)}) ended its function ${triesMax} times`;
    return { kind: "end", end: failure("step_keeps_failing", error), cursor };
  }
  if (under.kind === "recorded") return await recordedStep(world, cursor, element, under.step);
  const { action } = element;
  switch (action.type) {
    case "wait":
    case "screenshot":
      return await quietStep(world, cursor, action);
    case "finish":
    case "fail":
      return await finishStep(world, cursor, action);
    default:
      return await actStep(world, cursor, element);
  }
}

/** One whose row says what became of it, though its result is not on record. */
async function recordedStep(
  world: World,
  cursor: Cursor,
  element: TrajectoryElement,
  step: RunStep,
): Promise<StepResult> {
  if (step.status === "sending") return await resumeStep(world, cursor, element, step);
  const { action } = element;
  // It sends nothing, and says again how the run ends.
  if (action.type === "finish" || action.type === "fail") return await finishStep(world, cursor, action);
  const { next } = step.trail;
  world.trail = step.trail;
  if (next?.kind === "end") {
    return { kind: "end", end: failure(next.errorCode, step.error ?? "the step failed"), cursor };
  }
  const waitSeconds = action.type === "wait" ? durableSeconds(action) : 0;
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds, yields: false };
}

function limitReached({ deps, plan }: World, cursor: Cursor): string | undefined {
  const { maxSteps, maxDurationSeconds } = plan.workflow;
  const looks = cursor.model?.looks ?? 0;
  if (cursor.index - plan.stepsBefore - stepsBeforeActions(plan.files) - looks > maxSteps) {
    return `the run took its ${maxSteps} steps, which are the workflow's max_steps`;
  }
  return deps.clock.now() < plan.endsAtMs
    ? undefined
    : `the run took ${maxDurationSeconds} seconds, which are the workflow's max_duration_seconds`;
}

/** A service that is away is waited for; what is wrong with the service itself ends the run at last. */
async function failedStep(world: World, cursor: Cursor, cause: unknown): Promise<StepResult> {
  const { deps, job } = world;
  const { runId, assignmentId } = job;
  const failures = cursor.failures + 1;
  const fields = { run_id: runId, assignment_id: assignmentId, step: cursor.index, failures };
  deps.logger.error("a step of a run failed", { ...fields, cause });
  // Another one may have been seen by now.
  world.screen = undefined;
  const words = cause instanceof UnreadablePicture ? cause.message : refusalOf(cause);
  if (words !== undefined && failures > failuresOfDesktopMax) {
    const said = redact(words, await readSecrets(world));
    const error = `step ${cursor.index}: what the desktop answers cannot be used: ${said}`;
    return { kind: "end", end: failure("step_failed", error), cursor };
  }
  if (failures > failuresMax) {
    const error = "the service could not go on with the run; retry it";
    return { kind: "end", end: failure("executor_failed", error), cursor };
  }
  try {
    await deps.executions.releaseTry({ ...job, index: cursor.index });
  } catch (again) {
    deps.logger.warn("a try of a run's step stays counted", { ...fields, cause: again });
  }
  const waitSeconds = Math.min(60, 2 ** failures);
  return { kind: "next", cursor: { ...cursor, failures }, waitSeconds, yields: false };
}
