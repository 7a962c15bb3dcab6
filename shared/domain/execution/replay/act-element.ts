import { actionKinds, shownAction } from "../../action/action.ts";
import { fillAction } from "../../filling/fill-action.ts";
import type { RunStep, StepMatch, StepTrail } from "../../run-step/run-step.ts";
import type { StillScreen } from "../../screen/still-screen.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { type DesktopActivity, performAction } from "../act/perform-action.ts";
import type { Cursor } from "../execution.ts";
import { beginElement } from "../model/repair.ts";
import { type Awaited, awaitElement } from "../screen/await-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { afterLeftOut, away, ends, next, placeAfter, type StepResult } from "../step/step-result.ts";
import { elementOfStep } from "../step/trail.ts";
import { divergedStep } from "./diverged-step.ts";
import { followElement } from "./follow-element.ts";
import { judgeElement } from "./judge-element.ts";

export async function actElement(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  still?: StillScreen,
): Promise<StepResult> {
  const { action } = element;
  const { screen: shown } = invocation;
  const needsScreen = actionKinds[action.type].knownBy !== null && cursor.piece === 0;
  const awaited: Awaited = needsScreen
    ? await awaitElement(invocation, cursor.element, element, cursor.waitedMs, still)
    : { kind: "found", trail: invocation.trail, match: null };
  switch (awaited.kind) {
    case "away":
      return away;
    case "pauses":
      return { kind: "pauses", cursor: { ...cursor, waitedMs: awaited.waitedMs } };
    case "left_out":
      return await leaveOut(invocation, cursor, element);
    case "differs":
      return await divergedStep(invocation, cursor, element, awaited.match);
    case "found":
      if (element.isFromScreen === true && invocation.plan.model !== null) {
        // The screen may show another text than the recorded one.
        invocation.goOnFrom(awaited);
        await invocation.releaseTry(cursor);
        return next(beginElement(invocation, cursor, shown));
      }
      return await sendElement(invocation, cursor, {
        ...awaited,
        element,
        follow: (row) => followElement(cursor, element, row),
      });
  }
}

async function leaveOut(
  invocation: Invocation,
  cursor: Cursor,
  { action }: TrajectoryElement,
): Promise<StepResult> {
  const trail = { ...invocation.trail, element: cursor.element };
  const step = newStep(invocation, cursor, { action: shownAction(action), status: "skipped", trail });
  return await recordStep(invocation, step, () => next(afterLeftOut(cursor)));
}

export interface SentElement extends Pick<DesktopActivity, "element" | "follow"> {
  readonly trail: StepTrail;
  readonly match: StepMatch | null;
  /** The intent is on record. */
  readonly underWay?: RunStep;
}

/** Performs the action of an element whose screen is visible, or resumes it. */
export async function sendElement(
  invocation: Invocation,
  cursor: Cursor,
  { element, trail, match, follow, underWay }: SentElement,
): Promise<StepResult> {
  const filled = await fillAction(invocation, element.action, {
    piece: cursor.piece,
    movedBy: trail.movedBy,
  });
  if (filled.kind === "end") return ends(cursor, filled.end);
  const isUnderWay = underWay !== undefined;
  const step =
    underWay ?? newStep(invocation, cursor, { action: filled.shown, match, ...elementOfStep(trail, cursor) });
  // An input may be empty; a desktop refuses such a text.
  if (filled.sent.text === "" && !isUnderWay) {
    return await recordStep(invocation, { ...step, status: "skipped" }, () => next(placeAfter(cursor)));
  }
  return await performAction(invocation, {
    element,
    step,
    isUnderWay,
    filled,
    before: isUnderWay ? undefined : { before: invocation.screen?.picture, isBeforeStored: false },
    judge: (seen) => judgeElement(invocation, seen),
    follow,
  });
}
