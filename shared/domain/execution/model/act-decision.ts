import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { durableSeconds } from "../act/quiet-step.ts";
import type { Cursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import { look, settleMs } from "../screen/await-element.ts";
import { actionIdOf, leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { sendOnce } from "../step/send-once.ts";
import { wordsFor } from "../step/shown-action.ts";
import type { StepResult } from "../step/step-result.ts";
import { sleepWithin } from "../step/time-left.ts";
import { countTry, releaseTry, triesOver } from "../step/tries.ts";
import { findKeyAhead } from "./call-model.ts";
import { allowedTypes, checkAction } from "./check-action.ts";
import { callsOf, getExchange } from "./conversation.ts";
import { endAfter, endTask } from "./end-task.ts";
import type { Exchange } from "./exchange.ts";
import { goOn } from "./model-cursor.ts";
import { readFromScreen } from "./read-from-screen.ts";
import { afterRepair, endRepair } from "./repair.ts";
import {
  afterDecided,
  notOfScreen,
  type SentDecision,
  screenBefore,
  settleDecided,
} from "./settle-decided.ts";

/** Most of what a model said that is kept with its step, in characters. */
const textMax = 2_000;

type Placed = SentDecision["model"];

/**
 * Does the next action of the model's reply, once; what cannot be done is told when the model is asked next.
 *
 * @param counted the try, where asking the model has counted it already.
 */
export async function actOnReply(
  invocation: Invocation,
  cursor: Cursor,
  model: Placed,
  counted?: StepUnderWay,
): Promise<StepResult> {
  const exchange = await getExchange(invocation, model.turn);
  const { decision } = callsOf(exchange)[model.place.call] ?? {};
  const action = decision?.kind === "actions" ? decision.actions[model.place.action] : undefined;
  if (action === undefined) {
    if (counted !== undefined) await releaseTry(invocation, cursor);
    return goOn(cursor, { ...model, place: null });
  }
  const under = counted ?? (await countTry(invocation, cursor));
  const over = triesOver(invocation, under, cursor, wordsFor(action));
  if (over !== undefined) return { kind: "end", end: over, cursor };
  if (under.kind === "recorded" && under.step.status !== "sending") {
    invocation.trail = under.step.trail;
    if (action.type === "finish" || action.type === "fail") {
      return isRepaired(model, action)
        ? afterRepair(cursor, model, under.step)
        : endAfter(invocation, cursor, { model, exchange, action }, under.step);
    }
    return afterDecided(cursor, model, exchange, under.step);
  }
  const checked = await checkAction(invocation, exchange, action, {
    types: allowedTypes(invocation, cursor, model),
    piece: cursor.piece,
  });
  if (checked.kind === "end") return { kind: "end", end: checked.end, cursor };
  if (checked.kind === "told") {
    await releaseTry(invocation, cursor);
    return goOn({ ...cursor, piece: 0 }, { ...model, place: null });
  }
  const { action: placed, filled } = checked;
  const isSent = under.kind === "recorded";
  const step = isSent ? under.step : newDecided(invocation, cursor, model, exchange, filled.shown);
  const decided = { model, exchange, step };
  switch (placed.type) {
    case "wait":
    case "screenshot":
      return await quietly(invocation, cursor, { ...decided, filled, action: placed }, placed);
    case "finish":
    case "fail":
      return isRepaired(model, placed)
        ? await endRepair(invocation, cursor, decided)
        : await endTask(invocation, cursor, { ...decided, action: placed });
    case "read":
      return await readFromScreen(invocation, cursor, { ...decided, action: placed });
    default:
      return await (isSent ? resume : send)(invocation, cursor, { ...decided, filled, action: placed });
  }
}

function isRepaired({ mode }: Placed, { type }: Action): boolean {
  return mode === "repair" && type === "finish";
}

function newDecided(
  invocation: Invocation,
  cursor: Cursor,
  { firstStep, mode }: Placed,
  { reply }: Exchange,
  action: RunStep["action"],
): RunStep {
  const isFirst = cursor.index === firstStep;
  return newStep(invocation, cursor, {
    action,
    source: "model",
    match: null,
    model: reply.kind === "replied" ? reply.turn.model : null,
    usage: isFirst ? reply.usage : null,
    text: isFirst && reply.kind === "replied" && reply.text !== "" ? reply.text.slice(0, textMax) : null,
    trail: { ...invocation.trail, element: mode === "element" ? cursor.element : null },
    startedAt: isoTimestamp(invocation.deps.clock.now()),
  });
}

type Decided = Omit<SentDecision, "before" | "isBeforeStored">;

async function send(invocation: Invocation, cursor: Cursor, decided: Decided): Promise<StepResult> {
  const { deps } = invocation;
  const { step, filled } = decided;
  const before = await screenBefore(invocation);
  // A desktop takes no text without characters.
  if (filled.sent.text === "") {
    const trail = { ...step.trail, decided: notOfScreen(decided.model) };
    const skipped: RunStep = { ...step, status: "skipped", trail, durationMs: 0 };
    if (!(await deps.executions.recordStep(skipped))) return { kind: "ended" };
    return afterDecided(cursor, decided.model, decided.exchange, skipped);
  }
  const sending = sendOnce(invocation, step, filled.sent);
  if (isLastOf(decided, cursor)) findKeyAhead(invocation, decided.model);
  const acted = await sending;
  if (acted === undefined) return { kind: "ended" };
  return await settleDecided(invocation, cursor, { ...decided, ...before }, acted);
}

/** Whether the model is asked next, once it is done. */
function isLastOf({ model, exchange, filled }: Decided, { piece }: Cursor): boolean {
  const { call, action } = model.place;
  const calls = callsOf(exchange);
  const { decision } = calls[call] ?? {};
  const rest = decision?.kind === "actions" ? decision.actions.length - 1 - action : 0;
  return rest === 0 && call === calls.length - 1 && piece + 1 >= filled.pieces;
}

/** Asks what became of an action that may have been sent; it is never sent again. */
async function resume(invocation: Invocation, cursor: Cursor, decided: Decided): Promise<StepResult> {
  const { step } = decided;
  invocation.trail = step.trail;
  invocation.screen = undefined;
  invocation.pictureKey = step.pictureKey;
  const before = await screenBefore(invocation);
  const options = { actionId: actionIdOf(step), repeat: true, settleMs };
  const acted = await invocation.desktop.act(step.action, options);
  const isBare = acted.kind === "done" && acted.look === undefined;
  const whole = isBare ? { ...acted, look: await invocation.desktop.look(settleMs) } : acted;
  return await settleDecided(invocation, cursor, { ...decided, ...before }, whole);
}

/** What does nothing on the desktop, and shows it. */
async function quietly(
  invocation: Invocation,
  cursor: Cursor,
  decided: Decided,
  action: Extract<Action, { readonly type: "wait" | "screenshot" }>,
): Promise<StepResult> {
  const { deps, durable } = invocation;
  const before = await screenBefore(invocation);
  const isLong = action.type === "wait" && durableSeconds(action) > 0;
  if (!(await deps.executions.recordSending(decided.step, durable.arn, invocation.tries)))
    return { kind: "ended" };
  if (action.type === "wait" && !isLong) await sleepWithin(invocation, action.seconds * 1_000);
  // After a long wait, in which no invocation runs, it is looked at as a step of its own.
  const seen = isLong ? undefined : await look(invocation);
  if (seen === undefined && !isLong) return await leaveForLater(invocation, cursor);
  const acted = { kind: "done", look: seen && { png: seen.png, isSettled: seen.isSettled } } as const;
  return await settleDecided(invocation, cursor, { ...decided, ...before }, acted);
}
