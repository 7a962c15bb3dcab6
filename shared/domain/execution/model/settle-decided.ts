import { type Action, actionKinds } from "../../action/action.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/paint-over.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import type { DecidedStep, RunStep, SavedValue, StepNext, StepTrail } from "../../run-step/run-step.ts";
import { durableSeconds } from "../act/quiet-step.ts";
import { outcome } from "../act/settle-step.ts";
import type { Acted, Look } from "../desktop.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { settleMs } from "../screen/await-element.ts";
import { awaitTyped } from "../screen/await-typed.ts";
import { withChanged } from "../screen/repair-trail.ts";
import { trailAfter } from "../screen/typed-text.ts";
import { leaveForLater, leaveForNext } from "../step/away.ts";
import type { FilledAction } from "../step/fill-action.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { readSecrets } from "../step/read-secrets.ts";
import { redact } from "../step/redact.ts";
import { Screen } from "../step/screen.ts";
import { advanced, failure, type StepResult, truncated } from "../step/step-result.ts";
import { callsOf, memoryOf, readScreen } from "./conversation.ts";
import type { Exchange } from "./exchange.ts";
import { conversationOf, goOn, goToNext, printOf } from "./model-cursor.ts";
import { isStepItself } from "./reached-goal.ts";

/** The same action on an unchanged screen: so often in a row, and the run ends. */
const repeatsMax = 8;

/**
 * How long the letters of a text are looked for, in milliseconds, before the model learns that nothing has changed. A
 * secret that appears later is not painted over.
 */
const lateLettersMs = 3_000;

/** Larger values are for files. */
export const savedCharactersMax = 65_536;

export interface SentDecision {
  readonly model: ModelCursor & { readonly place: NonNullable<ModelCursor["place"]> };
  readonly exchange: Exchange;
  readonly action: Action;
  readonly step: RunStep;
  readonly filled: FilledAction;
  /** The screen before it, and whether that is the stored one, on which secrets are painted over. */
  readonly before: Picture | undefined;
  readonly isBeforeStored: boolean;
}

/** The screen before an action. */
export async function screenBefore(
  invocation: Invocation,
): Promise<Pick<SentDecision, "before" | "isBeforeStored">> {
  if (invocation.screen !== undefined) return { before: invocation.screen.picture, isBeforeStored: false };
  if (invocation.pictureKey === null) return { before: undefined, isBeforeStored: true };
  return { before: (await readScreen(invocation, invocation.pictureKey)).picture, isBeforeStored: true };
}

/** What follows from what became of a model's action. */
export async function settleDecided(
  invocation: Invocation,
  cursor: Cursor,
  sent: SentDecision,
  acted: Acted,
): Promise<StepResult> {
  const { executions } = invocation.deps;
  const { step, action, filled } = sent;
  switch (acted.kind) {
    case "away":
      if (step.status === "sending") await executions.withdraw(step);
      return await leaveForLater(invocation, cursor);
    case "uncertain":
      // Its row still says `sending`: the next try asks what became of it.
      return await leaveForLater(invocation, cursor);
    case "unknown": {
      const look = await invocation.desktop.look(settleMs);
      if (look === undefined) return await leaveForLater(invocation, cursor);
      return await settled(invocation, cursor, sent, { status: "unknown", look, error: null });
    }
    case "failed": {
      const error = truncated(redact(acted.error, await readSecrets(invocation)));
      return await settled(invocation, cursor, sent, { status: "failed", look: acted.look, error });
    }
    case "done": {
      const look = acted.look ?? (filled.hasSecret ? await invocation.desktop.look(settleMs) : undefined);
      // Where a secret is shown has to be known before any picture is kept; its row says `sending` until then.
      if (look === undefined && filled.hasSecret) return await leaveForLater(invocation, cursor);
      const saved = await savedOf(invocation, action, acted.text);
      const error =
        saved === "too_large" ? `what it gives has more than ${savedCharactersMax} characters` : null;
      if (saved === "too_large")
        return await settled(invocation, cursor, sent, { status: "failed", look, error });
      return await settled(invocation, cursor, sent, { status: "done", look, error: null, saved });
    }
  }
}

async function savedOf(
  invocation: Invocation,
  action: Action,
  text: string | undefined,
): Promise<SavedValue | "too_large" | undefined> {
  if (text === undefined || !("save_as" in action) || typeof action.save_as !== "string") return undefined;
  const value = redact(text, await readSecrets(invocation));
  return value.length > savedCharactersMax ? "too_large" : { name: action.save_as, value };
}

interface Became {
  readonly status: "done" | "failed" | "unknown";
  readonly look: Look | undefined;
  readonly error: string | null;
  readonly saved?: SavedValue | undefined;
}

async function settled(
  invocation: Invocation,
  cursor: Cursor,
  sent: SentDecision,
  { status, look, error, saved }: Became,
): Promise<StepResult> {
  const { deps } = invocation;
  const { step, action, filled, model } = sent;
  invocation.screen = look && new Screen(deps.pictures, look);
  // What an element types is another text than the recorded one, in the same field.
  const recorded = model.mode === "element" ? invocation.plan.trajectory.elements[cursor.element] : undefined;
  const { guard, changed } = recorded ?? {};
  const element = { action, by: "model", timeoutMs: lateLettersMs, guard, changed } as const;
  const isTyped = action.type === "type" && status !== "failed" && cursor.piece === 0;
  const typed = isTyped ? await awaitTyped(invocation, { ...sent, element }, lateLettersMs) : "typed";
  // Its row says `sending` until then.
  if (typed === "away") return await leaveForLater(invocation, cursor);
  if (typed === "pauses") return await leaveForNext(invocation, cursor);
  const after = invocation.screen?.picture;
  const isChanged = after !== undefined && isOther(sent, after);
  invocation.trail = withRepair(invocation, cursor, sent, {
    trail: trailAfter(
      { ...sent, element, filled: { ...filled, isOwn: filled.isOwn || recorded !== undefined } },
      after,
    ),
    isChanged,
  });
  const decided: DecidedStep = {
    turn: model.turn,
    ...model.place,
    isChanged,
    isBlind: after === undefined && actionKinds[action.type].screen !== "stays",
    seen: after === undefined ? null : { width: after.width, height: after.height },
  };
  const next: StepNext | undefined =
    status === "done" && cursor.piece + 1 < filled.pieces ? { kind: "piece" } : undefined;
  const last = { screenshot: null, pictureKey: invocation.pictureKey };
  const kept = invocation.screen === undefined ? last : await keepPicture(invocation, step);
  const ended = outcome(invocation, step, status, next);
  const trail = { ...ended.trail, decided };
  const became = { ...ended, ...kept, error, text: step.text, trail };
  await deps.executions.recordOutcome(step, { ...became, ...(saved && { saved }) });
  memoryOf(invocation).lastStep = { ...step, ...became };
  if (saved) invocation.saved.set(saved.name, saved.value);
  invocation.trail = trail;
  return afterDecided(cursor, sent.model, sent.exchange, { ...step, status, trail });
}

/** With what the action means for a repair under way. */
function withRepair(
  invocation: Invocation,
  cursor: Cursor,
  { model, action, before }: SentDecision,
  { trail, isChanged }: { readonly trail: StepTrail; readonly isChanged: boolean },
): StepTrail {
  const { repair } = trail;
  if (repair === undefined || model.mode !== "repair" || !isChanged) return trail;
  const isStepDone = repair.isStepDone || isStepItself(invocation, cursor, action, before);
  const changed = withChanged(repair, before, invocation.screen?.picture);
  return { ...trail, repair: { ...changed, hasActed: true, isStepDone } };
}

/** Of a step that leaves the screen as it is. */
export function notOfScreen({ turn, place }: SentDecision["model"]): DecidedStep {
  return { turn, ...place, isChanged: false, isBlind: false, seen: null };
}

function isOther({ before, isBeforeStored, step }: SentDecision, after: Picture): boolean {
  if (before === undefined) return true;
  if (!isSameSize(before, after)) return true;
  const now = isBeforeStored ? paintOver(after, step.trail.painted) : after;
  return changedParts(before, now).some(isMoreThanCaret);
}

/** What comes after a step that is on record: the same whenever its row is read. */
export function afterDecided(
  cursor: Cursor,
  before: ModelCursor,
  exchange: Exchange,
  { status, action, trail }: Pick<RunStep, "status" | "action" | "trail">,
): StepResult {
  const { decided } = trail;
  if (decided === undefined) throw new Error("a model's step does not say what follows");
  const isRepair = before.mode === "repair";
  const print = printOf(action);
  // What was not seen may have changed.
  const isSame = print === before.same.print && !decided.isChanged && !decided.isBlind;
  const model: ModelCursor = {
    ...before,
    idle: 0,
    isBlind: decided.isBlind,
    place: placeAfter(exchange, status, trail),
    ...(isRepair ? { repaired: before.repaired + 1 } : { agentic: before.agentic + 1 }),
    same: { print, times: isSame ? before.same.times + 1 : 1 },
  };
  if (trail.next?.kind === "piece") return goToNext(cursor, model, { piece: cursor.piece + 1 });
  if (before.mode === "element" && action.type !== "wait" && (status === "done" || status === "skipped")) {
    const replay: ModelCursor = { ...conversationOf(model), mode: "replay" };
    return goOn({ ...advanced(cursor, { element: cursor.element }), element: cursor.element + 1 }, replay);
  }
  if (model.same.times >= repeatsMax) {
    const error = `the model did the same ${repeatsMax} times, and the screen stayed as it was: ${String(action.type)}`;
    const end = failure("stuck", error);
    return { kind: "end", end, cursor: { ...cursor, index: cursor.index + 1, model } };
  }
  const seconds = action.type === "wait" && typeof action.seconds === "number" ? action.seconds : 0;
  return goToNext(cursor, model, { waitSeconds: durableSeconds({ type: "wait", seconds }) });
}

/** Among the reply's calls; null where the rest is not done. */
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
    // What is held down is let go all the same.
    const release = actions.findIndex((each, at) => at > action && "down" in each && each.down === false);
    return release < 0 ? null : { call, action: release };
  }
  if (action + 1 < actions.length) return { call, action: action + 1 };
  return decided.isChanged || call + 1 >= callsOf(exchange).length ? null : { call: call + 1, action: 0 };
}
