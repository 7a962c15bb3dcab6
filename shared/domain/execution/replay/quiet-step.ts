import { type Action, shownAction } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { away, type StepResult } from "../step/step-result.ts";
import { durableSeconds, sleepWithin } from "../step/time-left.ts";
import { elementOfStep } from "../step/trail.ts";

export async function quietStep(
  invocation: Invocation,
  cursor: Cursor,
  action: Action,
  follow: (row: RunStep) => StepResult,
): Promise<StepResult> {
  const startedAt = isoTimestamp(invocation.deps.clock.now());
  const waitSeconds = durableSeconds(action);
  if (action.type === "wait" && waitSeconds === 0) await sleepWithin(invocation, action.seconds * 1_000);
  invocation.forgetScreen();
  if (action.type === "screenshot" && (await invocation.look()) === undefined) return away;
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    status: "done",
    ...elementOfStep(invocation.trail, cursor),
    startedAt,
    ...(await invocation.keepPicture(cursor)),
    ...(waitSeconds > 0 && { durationMs: waitSeconds * 1_000 }),
  });
  return await recordStep(invocation, step, follow);
}
