import { isoTimestamp } from "../../clock.ts";
import { stepsBeforeActions } from "../../plan/run-files.ts";
import type { StepMatch } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { beginRepair, repairOf } from "../model/repair.ts";
import { whatIsThere } from "../screen/what-is-there.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { newStep } from "../step/new-step.ts";
import { shownAction, wordsFor } from "../step/shown-action.ts";
import { failure, type StepResult } from "../step/step-result.ts";

/** The screen is not the recorded one: nothing is done, and a model gets the step where the run has one. */
export async function divergedStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  match: StepMatch,
): Promise<StepResult> {
  const { deps } = invocation;
  const { action } = element;
  const error = `step ${cursor.index} (${wordsFor(action)}): ${whatIsThere(invocation, cursor.element, element, match)}`;
  const kept = await keepPicture(invocation, { index: cursor.index });
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    match,
    status: "failed",
    trail: { ...invocation.trail, element: cursor.element },
    startedAt: isoTimestamp(deps.clock.now() - match.waitedMs),
  });
  // Another display has none of the recorded places.
  const repair =
    match.reason === "wrong_size" ? undefined : repairOf(invocation, cursor, invocation.screen?.picture);
  const end = isAtStart(invocation, cursor)
    ? failure(
        "start_not_reached",
        `the first recorded screen was not reached, and nothing was done: ${error}`,
      )
    : failure("replay_diverged", error);
  const next = repair?.next ?? ({ kind: "end", errorCode: end.errorCode } as const);
  invocation.trail = { ...step.trail, next, ...(repair?.repair && { repair: repair.repair }) };
  const isOurs = await deps.executions.recordStep({
    ...step,
    trail: invocation.trail,
    ...kept,
    error: repair === undefined ? end.error : error,
    durationMs: match.waitedMs,
  });
  if (!isOurs) return { kind: "ended" };
  return next.kind === "model" ? beginRepair(cursor, next) : { kind: "end", end, cursor };
}

/** Whether no step of the work was begun: those of files, and those that lead to its start, are none. */
function isAtStart({ plan }: Invocation, { index, element, reset }: Cursor): boolean {
  const before = plan.stepsBefore + stepsBeforeActions(plan.files) + (reset?.taken ?? 0);
  return element === 0 && index === before + 1;
}
