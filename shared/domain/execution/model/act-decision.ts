import { type Action, type ActionKind, actionKinds, wordsFor } from "../../action/action.ts";
import { allowedTypes, checkAction } from "../../conversation/check-action.ts";
import { callsOf, type Exchange, getExchange, memoryOf } from "../../conversation/conversation.ts";
import type { Acted } from "../../desktop/desktop.ts";
import type { FilledAction } from "../../filling/fill-action.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { type DesktopActivity, performAction } from "../act/perform-action.ts";
import type { Cursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { settleMs } from "../step/screen.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { durableSeconds, sleepWithin } from "../step/time-left.ts";
import { askPerson, standsStill } from "./ask-person.ts";
import { findKeyAhead } from "./call-model.ts";
import { endAfter, endTask } from "./end-task.ts";
import {
  type Decision,
  followDecision,
  judgeDecision,
  notOfScreen,
  type PlacedModel,
  screenBefore,
} from "./judge-decision.ts";
import { goOn, requireModel } from "./model-cursor.ts";
import { readFromScreen } from "./read-from-screen.ts";
import { afterRepair, endRepair } from "./repair.ts";

const textMax = 2_000;

/** Letters may appear late. A secret that appears later than this is not painted over. */
const lateLettersMs = 3_000;

type FilledDecision = Decision & Pick<DesktopActivity, "isUnderWay"> & { readonly filled: FilledAction };

type Perform = (invocation: Invocation, cursor: Cursor, decided: FilledDecision) => Promise<StepResult>;

const performers: Readonly<Record<ActionKind["doneBy"], Perform>> = {
  input: actOnDesktop,
  system: actOnDesktop,
  service: actOnDesktop,
  model: readFromScreen,
  person: askPerson,
  end: async (invocation, cursor, decided) =>
    isRepaired(decided.model, decided.action)
      ? await endRepair(invocation, cursor, decided)
      : await endTask(invocation, cursor, decided),
};

/** @param counted is the try that was counted for asking the model. */
export async function actOnReply(
  invocation: Invocation,
  cursor: Cursor,
  counted?: StepUnderWay,
): Promise<StepResult> {
  const model = placedModel(cursor);
  const exchange = await getExchange(invocation, model.turn);
  const { decision } = callsOf(exchange)[model.place.call] ?? {};
  const asked = decision?.kind === "actions" ? decision.actions[model.place.action] : undefined;
  if (asked === undefined) {
    if (counted !== undefined) await invocation.releaseTry(cursor);
    return goOn(cursor, { ...model, place: null });
  }
  const under = counted ?? (await invocation.countTry(cursor, wordsFor(asked)));
  if (under.kind === "over") return ends(cursor, under.end);
  if (under.kind === "recorded" && under.step.status !== "sending") {
    invocation.goOnFrom(under.step);
    const { doneBy } = actionKinds[asked.type];
    if (doneBy !== "end") {
      const followed = followDecision(cursor, model, exchange, under.step);
      return doneBy === "person" ? standsStill(followed) : followed;
    }
    return isRepaired(model, asked)
      ? afterRepair(cursor, model, under.step)
      : endAfter(invocation, cursor, { model, action: asked }, under.step);
  }
  const checked = await checkAction(invocation, exchange, asked, {
    types: allowedTypes(invocation, { ...cursor, model }),
    piece: cursor.piece,
  });
  if (checked.kind === "end") return ends(cursor, checked.end);
  if (checked.kind === "told") {
    await invocation.releaseTry(cursor);
    return goOn({ ...cursor, piece: 0 }, { ...model, place: null });
  }
  const { action, filled } = checked;
  const isUnderWay = under.kind === "recorded";
  const step = isUnderWay ? under.step : newDecided(invocation, cursor, model, exchange, filled.shown);
  const decided = { model, exchange, action, step, isUnderWay, filled };
  return await performers[actionKinds[action.type].doneBy](invocation, cursor, decided);
}

function placedModel(cursor: Cursor): PlacedModel {
  const { place, ...model } = requireModel(cursor).model;
  if (place === null) throw new Error("a reply is gone on with at no place");
  return { ...model, place };
}

function isRepaired({ mode }: PlacedModel, { type }: Action): boolean {
  return mode === "repair" && type === "finish";
}

function newDecided(
  invocation: Invocation,
  cursor: Cursor,
  { firstStep, mode }: PlacedModel,
  { reply }: Exchange,
  action: RunStep["action"],
): RunStep {
  const isFirst = cursor.index === firstStep;
  return newStep(invocation, cursor, {
    action,
    source: "model",
    model: reply.kind === "replied" ? reply.turn.model : null,
    usage: isFirst ? reply.usage : null,
    text: isFirst && reply.kind === "replied" && reply.text !== "" ? reply.text.slice(0, textMax) : null,
    trail: { ...invocation.trail, element: mode === "element" ? cursor.element : null },
  });
}

async function actOnDesktop(
  invocation: Invocation,
  cursor: Cursor,
  decided: FilledDecision,
): Promise<StepResult> {
  const { model, exchange, action, step, filled, isUnderWay } = decided;
  const follow = (row: RunStep) => followDecision(cursor, model, exchange, row);
  // A desktop refuses an empty text.
  if (filled.sent.text === "" && !isUnderWay) {
    const trail = { ...step.trail, decided: notOfScreen(model) };
    return await recordStep(invocation, { ...step, status: "skipped", trail, durationMs: 0 }, follow);
  }
  const isIdle = actionKinds[action.type].doneBy === "service";
  // The element types another text than the recorded one into the same field.
  const recorded = model.mode === "element" ? invocation.plan.trajectory.elements[cursor.element] : undefined;
  const { guard, changed } = recorded ?? {};
  return await performAction(invocation, {
    step,
    isUnderWay,
    element: { action, by: "model", timeoutMs: lateLettersMs, guard, changed },
    filled: { ...filled, isOwn: filled.isOwn || recorded !== undefined },
    before: isUnderWay ? undefined : await screenBefore(invocation),
    ...(isIdle && { idle: async () => await waitAndLook(invocation, action) }),
    meanwhile: () => {
      if (!isUnderWay && !isIdle && isLastOf(decided)) findKeyAhead(invocation, model);
    },
    judge: (seen) => judgeDecision(invocation, cursor, decided, seen),
    follow: (row) => {
      memoryOf(invocation).lastStep = row;
      return follow(row);
    },
  });
}

function isLastOf({ model, exchange, filled }: FilledDecision): boolean {
  const { call, action } = model.place;
  const calls = callsOf(exchange);
  const { decision } = calls[call] ?? {};
  const rest = decision?.kind === "actions" ? decision.actions.length - 1 - action : 0;
  return rest === 0 && call === calls.length - 1 && filled.piece + 1 >= filled.pieces;
}

/** No invocation runs during a long wait, so a later step takes the picture. */
async function waitAndLook(invocation: Invocation, action: Action): Promise<Acted> {
  if (durableSeconds(action) > 0) return { kind: "done" };
  if (action.type === "wait") await sleepWithin(invocation, action.seconds * 1_000);
  const look = await invocation.desktop.look(settleMs);
  return look === undefined ? { kind: "away" } : { kind: "done", look };
}
