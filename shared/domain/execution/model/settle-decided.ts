import { type Action, actionKinds } from "../../action/action.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/paint-over.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import type { DecidedStep, RunStep, SavedValue, StepNext, StepTrail } from "../../run-step/run-step.ts";
import type { Acted, Look } from "../desktop.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { settleMs } from "../replay/await-element.ts";
import { awaitTyped } from "../replay/await-typed.ts";
import { leaveForLater, leaveForNext } from "../replay/away.ts";
import { keepPicture } from "../replay/keep-picture.ts";
import { durableSeconds } from "../replay/quiet-step.ts";
import { withChanged } from "../replay/repair-trail.ts";
import { Screen } from "../replay/screen.ts";
import { outcome } from "../replay/settle-step.ts";
import { advanced, failure, inShort, type StepResult } from "../replay/step-result.ts";
import { trailAfter } from "../replay/typed-text.ts";
import type { FilledAction } from "../texts/fill-action.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redact } from "../texts/redact.ts";
import type { World } from "../world.ts";
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
export async function screenBefore(world: World): Promise<Pick<SentDecision, "before" | "isBeforeStored">> {
  if (world.screen !== undefined) return { before: world.screen.picture, isBeforeStored: false };
  if (world.pictureKey === null) return { before: undefined, isBeforeStored: true };
  return { before: (await readScreen(world, world.pictureKey)).picture, isBeforeStored: true };
}

/** What follows from what became of a model's action. */
export async function settleDecided(
  world: World,
  cursor: Cursor,
  sent: SentDecision,
  acted: Acted,
): Promise<StepResult> {
  const { executions } = world.deps;
  const { step, action, filled } = sent;
  switch (acted.kind) {
    case "away":
      if (step.status === "sending") await executions.withdraw(step);
      return await leaveForLater(world, cursor);
    case "uncertain":
      // Its row still says `sending`: the next try asks what became of it.
      return await leaveForLater(world, cursor);
    case "unknown": {
      const look = await world.desktop.look(settleMs);
      if (look === undefined) return await leaveForLater(world, cursor);
      return await settled(world, cursor, sent, { status: "unknown", look, error: null });
    }
    case "failed": {
      const error = inShort(redact(acted.error, await readSecrets(world)));
      return await settled(world, cursor, sent, { status: "failed", look: acted.look, error });
    }
    case "done": {
      const look = acted.look ?? (filled.hasSecret ? await world.desktop.look(settleMs) : undefined);
      // Where a secret is shown has to be known before any picture is kept; its row says `sending` until then.
      if (look === undefined && filled.hasSecret) return await leaveForLater(world, cursor);
      const saved = await savedOf(world, action, acted.text);
      const error =
        saved === "too_large" ? `what it gives has more than ${savedCharactersMax} characters` : null;
      if (saved === "too_large") return await settled(world, cursor, sent, { status: "failed", look, error });
      return await settled(world, cursor, sent, { status: "done", look, error: null, saved });
    }
  }
}

async function savedOf(
  world: World,
  action: Action,
  text: string | undefined,
): Promise<SavedValue | "too_large" | undefined> {
  if (text === undefined || !("save_as" in action) || typeof action.save_as !== "string") return undefined;
  const value = redact(text, await readSecrets(world));
  return value.length > savedCharactersMax ? "too_large" : { name: action.save_as, value };
}

interface Became {
  readonly status: "done" | "failed" | "unknown";
  readonly look: Look | undefined;
  readonly error: string | null;
  readonly saved?: SavedValue | undefined;
}

async function settled(
  world: World,
  cursor: Cursor,
  sent: SentDecision,
  { status, look, error, saved }: Became,
): Promise<StepResult> {
  const { deps } = world;
  const { step, action, filled, model } = sent;
  world.screen = look && new Screen(deps.pictures, look);
  const element = { action, by: "model", timeoutMs: lateLettersMs } as const;
  const isTyped = action.type === "type" && status !== "failed" && cursor.piece === 0;
  const typed = isTyped ? await awaitTyped(world, { ...sent, element }, lateLettersMs) : "typed";
  // Its row says `sending` until then.
  if (typed === "away") return await leaveForLater(world, cursor);
  if (typed === "pauses") return await leaveForNext(world, cursor);
  const after = world.screen?.picture;
  const isChanged = after !== undefined && isOther(sent, after);
  world.trail = withRepair(world, cursor, sent, {
    trail: trailAfter({ ...sent, element }, after),
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
  const last = { screenshot: null, pictureKey: world.pictureKey };
  const kept = world.screen === undefined ? last : await keepPicture(world, step);
  const ended = outcome(world, step, status, next);
  const trail = { ...ended.trail, decided };
  const became = { ...ended, ...kept, error, text: step.text, trail };
  await deps.executions.recordOutcome(step, { ...became, ...(saved && { saved }) });
  memoryOf(world).lastStep = { ...step, ...became };
  if (saved) world.saved.set(saved.name, saved.value);
  world.trail = trail;
  return afterDecided(cursor, sent.model, sent.exchange, { ...step, status, trail });
}

/** With what the action means for a repair under way. */
function withRepair(
  world: World,
  cursor: Cursor,
  { model, action, before }: SentDecision,
  { trail, isChanged }: { readonly trail: StepTrail; readonly isChanged: boolean },
): StepTrail {
  const { repair } = trail;
  if (repair === undefined || model.mode !== "repair" || !isChanged) return trail;
  const isStepDone = repair.isStepDone || isStepItself(world, cursor, action, before);
  const changed = withChanged(repair, before, world.screen?.picture);
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
