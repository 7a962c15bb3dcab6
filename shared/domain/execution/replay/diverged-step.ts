import { shownAction, wordsFor } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import { stepsBeforeActions } from "../../plan/run-files.ts";
import { failure } from "../../run/run-ending.ts";
import type { StepMatch } from "../../run-step/run-step.ts";
import { whatIsThere } from "../../screen/what-is-there.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { repairOf } from "../model/repair.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import type { StepResult } from "../step/step-result.ts";
import { followElement } from "./follow-element.ts";

export async function divergedStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  match: StepMatch,
): Promise<StepResult> {
  const { action } = element;
  const seen = invocation.screen?.picture;
  const there = whatIsThere(invocation, seen, cursor.element, element, match);
  const words = `step ${cursor.index} (${wordsFor(action)}): ${there}`;
  const kept = await invocation.keepPicture(cursor);
  // Another display has none of the recorded places.
  const planned = match.reason === "wrong_size" ? undefined : repairOf(invocation, cursor, seen);
  const end = isAtStart(invocation, cursor)
    ? failure(
        "start_not_reached",
        `the first recorded screen was not reached, and nothing was done: ${words}`,
      )
    : failure("replay_diverged", words);
  const { next = { kind: "end", errorCode: end.errorCode } as const, repair } = planned ?? {};
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    match,
    status: "failed",
    startedAt: isoTimestamp(invocation.deps.clock.now() - match.waitedMs),
    ...kept,
    durationMs: match.waitedMs,
    error: planned === undefined ? end.error : words,
    trail: { ...invocation.trail, element: cursor.element, next, ...(repair && { repair }) },
  });
  return await recordStep(invocation, step, (row) => followElement(cursor, element, row));
}

/** Steps of files and of the reset are not the run's own work. */
function isAtStart({ plan }: Invocation, { index, element, reset }: Cursor): boolean {
  const before = plan.stepsBefore + stepsBeforeActions(plan.files) + (reset?.taken ?? 0);
  return element === 0 && index === before + 1;
}
