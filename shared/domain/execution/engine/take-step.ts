import { UnreadablePicture } from "../../picture/picture-codec.ts";
import { stepsBeforeActions } from "../../plan/run-files.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { actStep } from "../act/act-step.ts";
import { finishStep } from "../act/finish-step.ts";
import { durableSeconds, quietStep } from "../act/quiet-step.ts";
import { afterReading, readElement } from "../act/read-element.ts";
import { resumeStep } from "../act/resume-step.ts";
import type { Cursor } from "../execution.ts";
import { putNextFile } from "../files/put-files.ts";
import { removeNextFile } from "../files/remove-files.ts";
import { takeNextFile } from "../files/take-files.ts";
import { wrapUpFiles } from "../files/wrap-up-files.ts";
import { beginRepair } from "../model/repair.ts";
import { modelInUse, takeModelStep } from "../model/take-model-step.ts";
import { fitsStep } from "../screen/await-element.ts";
import { leaveDesktop, leaveStep } from "../start/leave-desktop.ts";
import { reachStart } from "../start/reach-start.ts";
import { afterReset, resumeReset } from "../start/reset-step.ts";
import type { Invocation } from "../step/invocation.ts";
import { readSecrets } from "../step/read-secrets.ts";
import { redact } from "../step/redact.ts";
import { beginRound, inRound, roundsOf } from "../step/rounds.ts";
import { wordsFor } from "../step/shown-action.ts";
import { afterLeftOut, type Failure, failure, placeAfter, type StepResult } from "../step/step-result.ts";
import { leftMs, timeOver, waitingWithin } from "../step/time-left.ts";
import { trailAt } from "../step/trail.ts";
import { countTry, triesOver } from "../step/tries.ts";
import { refusalText } from "../tunnel-desktop.ts";
import { failuresMax } from "./retrying-engine.ts";

/** Failures of a desktop that sends nothing that can be used, before the run is ended. */
const failuresOfDesktopMax = 3;

/**
 * Takes one step of a replay. What it throws is for another try.
 *
 * @param failures of the tries before. The last one ends the run.
 */
export async function takeStep(
  invocation: Invocation,
  cursor: Cursor,
  failures: number,
): Promise<StepResult> {
  invocation.failures = failures;
  invocation.trail = trailAt(invocation.trail, cursor);
  try {
    const result = await whatFollows(invocation, cursor, await oneStep(invocation, cursor));
    invocation.isContinuation = true;
    const next = waitingWithin(invocation, result);
    return next.kind === "next" && !fitsStep(invocation) ? { ...next, yields: true } : next;
  } catch (cause) {
    // Another one may be there by now.
    invocation.screen = undefined;
    const end = await endAfter(invocation, cursor, cause, failures);
    if (end !== undefined) return await whatFollows(invocation, cursor, { kind: "end", end, cursor });
    throw cause;
  }
}

/** How the run ends is in its result once: that has to be small. */
async function whatFollows(invocation: Invocation, cursor: Cursor, taken: StepResult): Promise<StepResult> {
  const isLeaving = cursor.leave !== undefined;
  const isOfRound = taken.kind === "end" && cursor.files.end === null && !isLeaving;
  const said = isOfRound ? { ...taken, end: inRound(taken.end, cursor) } : taken;
  const seenTo = isLeaving ? said : withoutEnd(await wrapUpFiles(invocation, cursor, said));
  return await leaveDesktop(invocation, cursor, seenTo);
}

function withoutEnd(result: StepResult): StepResult {
  if (result.kind !== "end") return result;
  const files = { ...result.cursor.files, end: null };
  return { ...result, cursor: { ...result.cursor, files } };
}

async function oneStep(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const { plan } = invocation;
  const { end: leaving = null, untilMs = 0 } = cursor.leave ?? {};
  if (leaving !== null) return await leaveStep(invocation, cursor, { end: leaving, untilMs });
  const { phase, end: ending } = cursor.files;
  if (phase === "take" && ending !== null) return await takeNextFile(invocation, cursor, ending);
  if (phase === "remove" && ending !== null) return await removeNextFile(invocation, cursor, ending);
  const limit = limitReached(invocation, cursor);
  if (limit !== undefined) return { kind: "end", end: limit, cursor };
  const put = phase === "put" ? await putNextFile(invocation, cursor) : undefined;
  if (put !== undefined) return put;
  const model = modelInUse(invocation, cursor);
  if (model !== undefined) return await takeModelStep(invocation, cursor, model);
  const element = plan.trajectory.elements[cursor.element];
  if (element === undefined) {
    return plan.isDryRun
      ? { kind: "end", end: { status: "success", errorCode: null, error: null }, cursor }
      : await finishStep(invocation, cursor, undefined);
  }
  const under = await countTry(invocation, cursor);
  const end = triesOver(invocation, under, cursor, wordsFor(element.action));
  if (end !== undefined) return { kind: "end", end, cursor };
  if (under.kind === "recorded") {
    const { step } = under;
    return step.source === "reset"
      ? await resumeReset(invocation, cursor, step)
      : await recordedStep(invocation, afterReset(cursor), element, step);
  }
  const start = await reachStart(invocation, cursor);
  return start.kind === "result" ? start.result : await elementStep(invocation, start.cursor, element);
}

async function elementStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
): Promise<StepResult> {
  const { action } = element;
  switch (action.type) {
    case "wait":
    case "screenshot":
      return await quietStep(invocation, cursor, action);
    case "read":
      return await readElement(invocation, cursor, action);
    case "finish":
    case "fail":
      return await finishStep(invocation, cursor, element);
    default:
      return await actStep(invocation, cursor, element);
  }
}

/** One whose row says what became of it, though its result is not on record. */
async function recordedStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  step: RunStep,
): Promise<StepResult> {
  if (step.status === "sending") return await resumeStep(invocation, cursor, element, step);
  const { action } = element;
  const { next } = step.trail;
  invocation.trail = step.trail;
  if (next?.kind === "round") return beginRound(cursor, next);
  // It sends nothing, and says again how the run ends.
  if (action.type === "finish" || action.type === "fail")
    return await finishStep(invocation, cursor, element);
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

function limitReached(invocation: Invocation, cursor: Cursor): Failure | undefined {
  const { plan } = invocation;
  const rounds = roundsOf(plan);
  const steps = plan.workflow.maxSteps * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  const uncounted =
    stepsBeforeActions(plan.files) + (cursor.model?.lookCount ?? 0) + (cursor.reset?.taken ?? 0);
  if (cursor.index - plan.stepsBefore - uncounted > steps) {
    return failure("limit_reached", `the run took its ${steps} steps, ${those} max_steps`);
  }
  return leftMs(invocation) > 0 ? undefined : timeOver(invocation);
}

/** How the run ends when there is to be no other try. */
async function endAfter(
  invocation: Invocation,
  { index }: Cursor,
  cause: unknown,
  failures: number,
): Promise<Failure | undefined> {
  const words = cause instanceof UnreadablePicture ? cause.message : refusalText(cause);
  if (words !== undefined && failures >= failuresOfDesktopMax) {
    const said = redact(words, await readSecrets(invocation));
    return failure("step_failed", `step ${index}: what the desktop answers cannot be used: ${said}`);
  }
  if (failures < failuresMax) return undefined;
  return failure("executor_failed", "the service could not go on with the run; retry it");
}
