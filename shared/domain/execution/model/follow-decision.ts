import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { advanced, ends, type Failure, failure, type StepResult } from "../step/step-result.ts";
import { durableSeconds } from "../step/time-left.ts";
import { callsOf, type Exchange } from "./conversation.ts";
import { conversationOf, goOn, goToNext, printOf } from "./model-cursor.ts";

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
    place: placeAfter(exchange, status, trail),
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

function placeAfter(
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
  // The model decides anew by the current screen.
  if (unseen <= unseenToldMax) return goToNext(before, { ...model, unseen }, { isBlind: true });
  return ends({ ...before, index: before.index + 1, model }, end);
}
