import { actionKinds, wordsFor } from "../../action/action.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import { type Failure, failure } from "../../run/run-ending.ts";
import type { StepNext } from "../../run-step/run-step.ts";
import { contextOf, matchElement } from "../../screen/match-element.ts";
import { isScreenOf } from "../../screen/recorded-screens.ts";
import { hasTyped, type SentStep } from "../../screen/typed-text.ts";
import { type SeenAction, savedCharactersMax } from "../act/perform-action.ts";
import type { Invocation } from "../step/invocation.ts";
import type { Outcome } from "../step/perform-once.ts";

export function judgeElement(invocation: Invocation, seen: SeenAction): Outcome {
  const { status, typed, sent, trail, saved } = seen;
  const { element, filled } = sent;
  const step = `step ${sent.step.index}`;
  if (status === "unknown") return judgeUnknown(invocation, seen);
  if (status === "failed") {
    const error = `the desktop refused ${step} (${wordsFor(element.action)}): ${seen.error}`;
    return failed(seen, "step_failed", error);
  }
  if (typed === "resized") {
    return failed(seen, "replay_diverged", `${step} typed, and the display is of another size since`);
  }
  if (typed === "nothing") {
    const error = `${step} changed nothing on the screen within ${element.timeoutMs / 1_000} s: the field that it types into is not the recorded one`;
    return failed(seen, "replay_diverged", error);
  }
  if (saved === "too_large") {
    const error = `what ${step} would save has more than ${savedCharactersMax} characters`;
    return failed(seen, "step_failed", error);
  }
  return { kind: "outcome", status, trail: leadingTo(trail, nextPiece(filled)), saved };
}

function failed({ trail }: SeenAction, errorCode: Failure["errorCode"], words: string): Outcome {
  const { error } = failure(errorCode, words);
  return { kind: "outcome", status: "failed", error, trail: leadingTo(trail, { kind: "end", errorCode }) };
}

function leadingTo(trail: SeenAction["trail"], next: StepNext | undefined): SeenAction["trail"] {
  return next === undefined ? trail : { ...trail, next };
}

function nextPiece({ piece, pieces }: SentStep["filled"]): StepNext | undefined {
  return piece + 1 < pieces ? { kind: "piece" } : undefined;
}

function judgeUnknown(invocation: Invocation, { sent, trail }: SeenAction): Outcome {
  const { element, step, filled } = sent;
  if (actionKinds[element.action.type].ifUnknown === "end") {
    const error = `nobody knows whether the command of step ${step.index} was run: its driver was started anew`;
    const next: StepNext = { kind: "end", errorCode: "step_failed" };
    return { kind: "outcome", status: "unknown", error, trail: leadingTo(step.trail, next) };
  }
  const now = invocation.screen?.picture;
  return now !== undefined && hasHappened(invocation, sent, now)
    ? { kind: "outcome", status: "unknown", trail: leadingTo(trail, nextPiece(filled)) }
    : { kind: "outcome", status: "unknown", trail: leadingTo(step.trail, { kind: "again" }) };
}

/**
 * A changed screen means that the action happened; an unchanged one, that a click did if the next element can begin.
 */
function hasHappened(invocation: Invocation, sent: SentStep, now: Picture): boolean {
  const { element, step, before } = sent;
  const { action } = element;
  const { element: at, reset: ofReset = 0 } = step.trail;
  // The result of such an action exists only if it is done again.
  if (actionKinds[action.type].ifUnknown === "again") return false;
  if (action.type === "type" && before !== undefined) return hasTyped(sent, now);
  if (action.type === "type") {
    const { reset, elements } = invocation.plan.trajectory;
    const list = at === null ? reset : elements;
    const context = contextOf(invocation, invocation.trail, at ?? ofReset, list);
    return matchElement(now, element, context)?.isFound !== true;
  }
  const isChanged =
    before !== undefined &&
    (!isSameSize(before, now) || changedParts(before, now, invocation.trail.painted).some(isMoreThanCaret));
  const isNext = () => isScreenOf(invocation, now, at === null ? 0 : at + 1);
  // Opening may be repeated; a program that was only closed is not yet the next screen.
  if (action.type === "open") return action.if_open === "restart" && isChanged && isNext();
  if (isChanged) return true;
  // The action changed the recorded screen, so that an unchanged one means that it was not done.
  if (before !== undefined && element.changed !== undefined) return false;
  return isNext();
}
