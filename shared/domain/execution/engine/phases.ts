import { stepsBeforeActions } from "../../plan/run-files.ts";
import type { Cursor } from "../execution.ts";
import { putNextFile } from "../files/put-files.ts";
import { removeNextFile } from "../files/remove-files.ts";
import { takeNextFile } from "../files/take-files.ts";
import { modelInUse, takeModelStep } from "../model/take-model-step.ts";
import { leaveStep } from "../start/leave-desktop.ts";
import type { Invocation } from "../step/invocation.ts";
import { roundsOf } from "../step/rounds.ts";
import { ends, type Failure, failure, type StepResult } from "../step/step-result.ts";
import { leftMs, timeOver } from "../step/time-left.ts";
import { takeElement } from "./take-element.ts";

export async function takePhase(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const { end: leaving = null, untilMs = 0 } = cursor.leave ?? {};
  if (leaving !== null) return await leaveStep(invocation, cursor, { end: leaving, untilMs });
  const { phase, end: ending } = cursor.files;
  if (phase === "take" && ending !== null) return await takeNextFile(invocation, cursor, ending);
  if (phase === "remove" && ending !== null) return await removeNextFile(invocation, cursor, ending);
  const limit = limitReached(invocation, cursor);
  if (limit !== undefined) return ends(cursor, limit);
  const put = phase === "put" ? await putNextFile(invocation, cursor) : undefined;
  if (put !== undefined) return put;
  const model = modelInUse(invocation, cursor);
  if (model !== undefined) return await takeModelStep(invocation, cursor, model);
  return await takeElement(invocation, cursor);
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
