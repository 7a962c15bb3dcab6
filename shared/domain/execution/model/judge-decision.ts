import { type Action, actionKinds } from "../../action/action.ts";
import { callsOf, type Exchange } from "../../conversation/conversation.ts";
import { conversationOf, type ModelCursor } from "../../conversation/conversation-cursor.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import { type Failure, failure, truncated } from "../../run/run-ending.ts";
import type { DecidedStep, RunStep } from "../../run-step/run-step.ts";
import { withChanged } from "../../screen/repair-trail.ts";
import { changedBy, type SentStep } from "../../screen/typed-text.ts";
import { type ScreenBefore, type SeenAction, savedCharactersMax } from "../act/perform-action.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import type { Outcome } from "../step/perform-once.ts";
import { advanced, ends, type StepResult } from "../step/step-result.ts";
import { durableSeconds } from "../step/time-left.ts";
import { goOn, goToNext, printOf } from "./model-cursor.ts";
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
  const hasMore = status === "done" && sent.filled.piece + 1 < sent.filled.pieces;
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

function isOther(sent: SentStep, after: Picture): boolean {
  const { before } = sent;
  return before === undefined || !isSameSize(before, after) || changedBy(sent, after).length > 0;
}

const repeatsMax = 8;

export function followDecision(
  cursor: Cursor,
  before: ModelCursor,
  exchange: Exchange,
  { status, action, trail }: Pick<RunStep, "status" | "action" | "trail">,
): StepResult {
  const { decided } = trail;
  if (decided === undefined) throw new Error("a model's step does not say what follows");
  const isRepair = before.mode === "repair";
  const print = printOf(action);
  // An unseen screen may have changed.
  const isSame = print === before.same.print && !decided.isChanged && !decided.isBlind;
  const model: ModelCursor = {
    ...before,
    idle: 0,
    place: replyPlaceAfter(exchange, status, trail),
    ...(isRepair ? { repaired: before.repaired + 1 } : { agentic: before.agentic + 1 }),
    same: { print, times: isSame ? before.same.times + 1 : 1 },
  };
  const { isBlind } = decided;
  if (trail.next?.kind === "piece") return goToNext(cursor, model, { piece: cursor.piece + 1, isBlind });
  if (before.mode === "element" && action.type !== "wait" && (status === "done" || status === "skipped")) {
    const replay: ModelCursor = { ...conversationOf(model), mode: "replay" };
    return goOn({ ...advanced(cursor), element: cursor.element + 1 }, replay);
  }
  if (model.same.times >= repeatsMax) {
    const error = `the model did the same ${repeatsMax} times, and the screen stayed as it was: ${String(action.type)}`;
    return ends({ ...cursor, index: cursor.index + 1, model }, failure("stuck", error));
  }
  return goToNext(cursor, model, { waitSeconds: durableSeconds(action), isBlind });
}

function replyPlaceAfter(
  exchange: Exchange,
  status: RunStep["status"],
  { decided, next }: RunStep["trail"],
): ModelCursor["place"] {
  if (decided === undefined) return null;
  const { call, action } = decided;
  if (next?.kind === "piece") return { call, action };
  const decision = callsOf(exchange)[call]?.decision;
  const actions = decision?.kind === "actions" ? decision.actions : [];
  if (status === "failed" || status === "unknown") {
    // Held keys are released even after a failure.
    const release = actions.findIndex((each, at) => at > action && "down" in each && each.down === false);
    return release < 0 ? null : { call, action: release };
  }
  if (action + 1 < actions.length) return { call, action: action + 1 };
  return decided.isChanged || call + 1 >= callsOf(exchange).length ? null : { call: call + 1, action: 0 };
}

const unseenToldMax = 1;

export function afterUnseen(before: Cursor, model: ModelCursor, end: Failure): StepResult {
  const unseen = (model.unseen ?? 0) + 1;
  // The model decides again on the current screen.
  if (unseen <= unseenToldMax) return goToNext(before, { ...model, unseen }, { isBlind: true });
  return ends({ ...before, index: before.index + 1, model }, end);
}
