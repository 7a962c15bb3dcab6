import { UnreadablePicture } from "../../picture/picture-codec.ts";
import { stepsBeforeActions } from "../../plan/run-files.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { failuresMax } from "../engine/patient-engine.ts";
import { countTry, triesOver } from "../engine/tries.ts";
import type { Cursor } from "../execution.ts";
import { putNextFile } from "../files/put-files.ts";
import { removeNextFile } from "../files/remove-files.ts";
import { seeToFiles } from "../files/see-to-files.ts";
import { takeNextFile } from "../files/take-files.ts";
import { afterReading, readElement } from "../model/read-element.ts";
import { beginRepair } from "../model/repair.ts";
import { modelInUse, takeModelStep } from "../model/take-model-step.ts";
import { leaveDesktop, leaveStep } from "../start/leave-desktop.ts";
import { reachStart } from "../start/reach-start.ts";
import { afterReset, resumeReset } from "../start/reset-step.ts";
import { trailAt } from "../start/trail.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redact } from "../texts/redact.ts";
import { refusalText } from "../tunnel-desktop.ts";
import type { World } from "../world.ts";
import { actStep } from "./act-step.ts";
import { fitsStep } from "./await-element.ts";
import { finishStep } from "./finish-step.ts";
import { durableSeconds, quietStep } from "./quiet-step.ts";
import { resumeStep } from "./resume-step.ts";
import { beginRound, inRound, roundsOf } from "./rounds.ts";
import { wordsFor } from "./shown-action.ts";
import { afterLeftOut, type Failure, failure, placeAfter, type StepResult } from "./step-result.ts";
import { leftMs, timeOver, waitingWithin } from "./time-left.ts";

/** Failures of a desktop that sends nothing that can be used, before the run is ended. */
const failuresOfDesktopMax = 3;

/**
 * Takes one step of a replay. What it throws is for another try.
 *
 * @param failures of the tries before. The last one ends the run.
 */
export async function takeStep(world: World, cursor: Cursor, failures: number): Promise<StepResult> {
  world.failures = failures;
  world.trail = trailAt(world.trail, cursor);
  try {
    const result = await whatFollows(world, cursor, await oneStep(world, cursor));
    world.hasTaken = true;
    const next = waitingWithin(world, result);
    return next.kind === "next" && !fitsStep(world) ? { ...next, yields: true } : next;
  } catch (cause) {
    // Another one may be there by now.
    world.screen = undefined;
    const end = await endAfter(world, cursor, cause, failures);
    if (end !== undefined) return await whatFollows(world, cursor, { kind: "end", end, cursor });
    throw cause;
  }
}

/** How the run ends is in its result once: that has to be small. */
async function whatFollows(world: World, cursor: Cursor, taken: StepResult): Promise<StepResult> {
  const isLeaving = cursor.leave !== undefined;
  const isOfRound = taken.kind === "end" && cursor.files.end === null && !isLeaving;
  const said = isOfRound ? { ...taken, end: inRound(taken.end, cursor) } : taken;
  const seenTo = isLeaving ? said : withoutEnd(await seeToFiles(world, cursor, said));
  return await leaveDesktop(world, cursor, seenTo);
}

function withoutEnd(result: StepResult): StepResult {
  if (result.kind !== "end") return result;
  const files = { ...result.cursor.files, end: null };
  return { ...result, cursor: { ...result.cursor, files } };
}

async function oneStep(world: World, cursor: Cursor): Promise<StepResult> {
  const { plan } = world;
  const { end: leaving = null, untilMs = 0 } = cursor.leave ?? {};
  if (leaving !== null) return await leaveStep(world, cursor, { end: leaving, untilMs });
  const { phase, end: ending } = cursor.files;
  if (phase === "take" && ending !== null) return await takeNextFile(world, cursor, ending);
  if (phase === "remove" && ending !== null) return await removeNextFile(world, cursor, ending);
  const limit = limitReached(world, cursor);
  if (limit !== undefined) return { kind: "end", end: limit, cursor };
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
  const under = await countTry(world, cursor);
  const end = triesOver(world, under, cursor, wordsFor(element.action));
  if (end !== undefined) return { kind: "end", end, cursor };
  if (under.kind === "recorded") {
    const { step } = under;
    return step.source === "reset"
      ? await resumeReset(world, cursor, step)
      : await recordedStep(world, afterReset(cursor), element, step);
  }
  const start = await reachStart(world, cursor);
  return start.kind === "result" ? start.result : await elementStep(world, start.cursor, element);
}

async function elementStep(world: World, cursor: Cursor, element: TrajectoryElement): Promise<StepResult> {
  const { action } = element;
  switch (action.type) {
    case "wait":
    case "screenshot":
      return await quietStep(world, cursor, action);
    case "read":
      return await readElement(world, cursor, action);
    case "finish":
    case "fail":
      return await finishStep(world, cursor, element);
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
  const { next } = step.trail;
  world.trail = step.trail;
  if (next?.kind === "round") return beginRound(cursor, next);
  // It sends nothing, and says again how the run ends.
  if (action.type === "finish" || action.type === "fail") return await finishStep(world, cursor, element);
  if (next?.kind === "end") {
    return { kind: "end", end: failure(next.errorCode, step.error ?? "the step failed"), cursor };
  }
  if (action.type === "read") return afterReading(cursor, cursor.model);
  if (next?.kind === "model") return beginRepair(cursor, next);
  if (next?.kind === "replay") throw new Error("a replayed step does not say where the replay goes on");
  if (step.status === "skipped" && element.optional === true) {
    return { kind: "next", cursor: afterLeftOut(cursor), waitSeconds: 0, yields: false };
  }
  const waitSeconds = action.type === "wait" ? durableSeconds(action) : 0;
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds, yields: false };
}

function limitReached(world: World, cursor: Cursor): Failure | undefined {
  const { plan } = world;
  const rounds = roundsOf(plan);
  const steps = plan.workflow.maxSteps * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  const uncounted = stepsBeforeActions(plan.files) + (cursor.model?.looks ?? 0) + (cursor.reset?.taken ?? 0);
  if (cursor.index - plan.stepsBefore - uncounted > steps) {
    return failure("limit_reached", `the run took its ${steps} steps, ${those} max_steps`);
  }
  return leftMs(world) > 0 ? undefined : timeOver(world);
}

/** How the run ends when there is to be no other try. */
async function endAfter(
  world: World,
  { index }: Cursor,
  cause: unknown,
  failures: number,
): Promise<Failure | undefined> {
  const words = cause instanceof UnreadablePicture ? cause.message : refusalText(cause);
  if (words !== undefined && failures >= failuresOfDesktopMax) {
    const said = redact(words, await readSecrets(world));
    return failure("step_failed", `step ${index}: what the desktop answers cannot be used: ${said}`);
  }
  if (failures < failuresMax) return undefined;
  return failure("executor_failed", "the service could not go on with the run; retry it");
}
