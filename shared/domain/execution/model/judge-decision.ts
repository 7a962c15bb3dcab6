import { type Action, actionKinds } from "../../action/action.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/edit-picture.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import type { DecidedStep, RunStep } from "../../run-step/run-step.ts";
import { withChanged } from "../../screen/repair-trail.ts";
import type { SentStep } from "../../screen/typed-text.ts";
import { type ScreenBefore, type SeenAction, savedCharactersMax } from "../act/perform-action.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import type { Outcome } from "../step/perform-once.ts";
import { truncated } from "../step/step-result.ts";
import type { Exchange } from "./conversation.ts";
import { isStepItself } from "./reached-goal.ts";

export type PlacedModel = ModelCursor & { readonly place: NonNullable<ModelCursor["place"]> };

export interface Decision {
  readonly model: PlacedModel;
  readonly exchange: Exchange;
  readonly action: Action;
  readonly step: RunStep;
}

export async function screenBefore(invocation: Invocation): Promise<ScreenBefore> {
  const { screen, pictureKey } = invocation;
  if (screen !== undefined) return { before: screen.picture, isBeforeStored: false };
  if (pictureKey === null) return { before: undefined, isBeforeStored: true };
  return { before: (await invocation.getPicture(pictureKey)).picture, isBeforeStored: true };
}

export function judgeDecision(
  invocation: Invocation,
  cursor: Cursor,
  { model, action }: Decision,
  { status: became, error: refused, sent, after, trail, saved }: SeenAction,
): Outcome {
  const isTooLarge = saved === "too_large";
  const status = isTooLarge ? "failed" : became;
  const error = isTooLarge ? `what it gives has more than ${savedCharactersMax} characters` : refused;
  if (after === undefined) invocation.forgetScreen();
  const isChanged = after !== undefined && isOther(sent, after);
  const decided: DecidedStep = {
    turn: model.turn,
    ...model.place,
    isChanged,
    isBlind: after === undefined && actionKinds[action.type].screen !== "stays",
    seen: after === undefined ? null : { width: after.width, height: after.height },
  };
  const hasMore = status === "done" && cursor.piece + 1 < sent.filled.pieces;
  const repair =
    isChanged && model.mode === "repair" ? afterAction(invocation, cursor, action, sent) : trail.repair;
  return {
    kind: "outcome",
    status,
    error: error && truncated(error),
    text: sent.step.text,
    pictureKey: invocation.pictureKey,
    trail: { ...trail, ...(repair && { repair }), ...(hasMore && { next: { kind: "piece" } }), decided },
    saved: isTooLarge ? undefined : saved,
  };
}

function afterAction(invocation: Invocation, cursor: Cursor, action: Action, { step, before }: SentStep) {
  const { repair } = step.trail;
  if (repair === undefined) return undefined;
  const isStepDone = repair.isStepDone || isStepItself(invocation, cursor, action, before);
  return { ...withChanged(repair, before, invocation.screen?.picture), hasActed: true, isStepDone };
}

export function notOfScreen({ turn, place }: PlacedModel): DecidedStep {
  return { turn, ...place, isChanged: false, isBlind: false, seen: null };
}

function isOther({ before, isBeforeStored, step }: SentStep, after: Picture): boolean {
  if (before === undefined) return true;
  if (!isSameSize(before, after)) return true;
  const now = isBeforeStored ? paintOver(after, step.trail.painted) : after;
  return changedParts(before, now).some(isMoreThanCaret);
}
