import {
  conversationOf,
  firstModelCursor,
  type ModelCursor,
} from "../../conversation/conversation-cursor.ts";
import { modelWords } from "../../model/model-words.ts";
import type { Picture } from "../../picture/picture.ts";
import { failure } from "../../run/run-ending.ts";
import type { RepairTrail, RunStep, StepNext } from "../../run-step/run-step.ts";
import { isEnd, isPieceOf, isScreenOf, needsNoScreen, nextScreens } from "../../screen/recorded-screens.ts";
import { newRepairTrail } from "../../screen/repair-trail.ts";
import type { Cursor } from "../execution.ts";
import { awaitOutcome, type Missing } from "../screen/await-outcome.ts";
import type { Invocation } from "../step/invocation.ts";
import { recordStep } from "../step/perform-once.ts";
import { advanced, away, next, type StepResult } from "../step/step-result.ts";
import { afterUnseen, type Decision, notOfScreen } from "./judge-decision.ts";
import { goToNext, withModel } from "./model-cursor.ts";
import { mayGoOnAt, reachedGoal } from "./reached-goal.ts";

const repairsMax = 3;

const misfitsMax = 3;

interface PlannedRepair {
  readonly next: Extract<StepNext, { readonly kind: "model" }>;
  readonly repair?: RepairTrail;
}

export function repairOf(
  invocation: Invocation,
  cursor: Cursor,
  screen: Picture | undefined,
): PlannedRepair | undefined {
  if (invocation.plan.model === null) return undefined;
  if ((cursor.model?.repairs ?? 0) >= repairsMax) return { next: { kind: "model", goals: null } };
  // Screens that are visible while the replay is stuck are not goals.
  const goals = nextScreens(invocation, cursor.element).filter(
    (at) => at === cursor.element || screen === undefined || !isScreenOf(invocation, screen, at),
  );
  const repair = newRepairTrail(invocation, cursor.element, goals, screen);
  return { next: { kind: "model", goals }, repair };
}

/** The step was not done, so it does not count. */
export function beginRepair(
  cursor: Cursor,
  { goals }: Extract<StepNext, { readonly kind: "model" }>,
): StepResult {
  const before = cursor.model ?? firstModelCursor;
  const begun = { ...conversationOf(before), lookCount: before.lookCount + 1 };
  return goToNext(
    cursor,
    goals === null
      ? { ...begun, mode: "task" }
      : { ...begun, mode: "repair", goals, repairs: before.repairs + 1 },
  );
}

export async function backToReplay(
  invocation: Invocation,
  before: Cursor,
  result: StepResult,
): Promise<StepResult> {
  if (result.kind !== "next") return result;
  const { cursor } = result;
  const { model } = cursor;
  if (model?.mode !== "repair" || cursor.index === before.index) return result;
  // A key may be held in the middle of a text or call.
  const isWithin = cursor.piece > 0 || (model.place !== null && model.place.action > 0);
  if (isWithin || cursor.phase === "see_screen") return result;
  const screen = await invocation.lastScreen();
  if (screen === undefined) return result;
  const at = reachedGoal(invocation, cursor, model.goals ?? [], screen.picture);
  return at === undefined ? result : { ...result, cursor: replayFrom(cursor, model, at) };
}

export async function endRepair(
  invocation: Invocation,
  cursor: Cursor,
  { model, step }: Pick<Decision, "model" | "step">,
): Promise<StepResult> {
  const screen = await invocation.lastScreen();
  if (screen === undefined) return away;
  const after = await whereAfter(invocation, cursor, screen.picture);
  if (after === "away") return away;
  const { error, missed } = after;
  const recorded: RunStep = {
    ...step,
    action: { type: "finish" },
    durationMs: 0,
    status: error === null ? "done" : "failed",
    error,
    trail: { ...step.trail, ...missed, decided: notOfScreen(model), ...(after.next && { next: after.next }) },
  };
  return await recordStep(invocation, recorded, (row) => afterRepair(cursor, model, row));
}

interface Repaired {
  readonly next?: StepNext;
  readonly error: string | null;
  readonly missed?: Missing["trail"];
}

async function whereAfter(
  invocation: Invocation,
  { element }: Cursor,
  screen: Picture,
): Promise<Repaired | "away"> {
  const hasActed = invocation.trail.repair?.hasActed === true;
  const mayGoOn = (at: number) => mayGoOnAt(invocation, element, at);
  const isSeen = (at: number) =>
    isScreenOf(invocation, screen, at) || (hasActed && isPieceOf(invocation, screen, at));
  const after = element + 1;
  const at =
    needsNoScreen(invocation, after) && mayGoOn(after)
      ? after
      : [...nextScreens(invocation, after), element].filter(mayGoOn).find(isSeen);
  const isAtEnd = at !== element && isEnd(invocation, after) && mayGoOn(after);
  const missing = isAtEnd ? await awaitOutcome(invocation) : undefined;
  if (missing === "away") return "away";
  if (missing !== undefined) {
    const notSeen = { kind: "end", errorCode: "outcome_not_seen" } as const;
    return { next: notSeen, error: `the task is not done: ${missing.words}`, missed: missing.trail };
  }
  const goal = isAtEnd ? after : at;
  return goal === undefined
    ? { error: modelWords.notRepaired }
    : { next: { kind: "replay", element: goal }, error: null };
}

export function afterRepair(
  cursor: Cursor,
  before: ModelCursor,
  { error, trail: { next: following } }: Pick<RunStep, "error" | "trail">,
): StepResult {
  const model: ModelCursor = { ...before, place: null, idle: 0, repaired: before.repaired + 1 };
  if (following?.kind === "replay") {
    return next(replayFrom(advanced(cursor), model, following.element));
  }
  if (following?.kind === "end") {
    return afterUnseen(cursor, model, failure(following.errorCode, error ?? "the work is not to be seen"));
  }
  const misfits = model.misfits + 1;
  return misfits < misfitsMax
    ? goToNext(cursor, { ...model, misfits })
    : goToNext(cursor, { ...conversationOf(model), mode: "task" });
}

function replayFrom(cursor: Cursor, model: ModelCursor, element: number): Cursor {
  return withModel({ ...cursor, element }, { ...conversationOf(model), mode: "replay" });
}

/** @param shown is the screen of the last stored picture. */
export function beginElement(invocation: Invocation, cursor: Cursor, shown = invocation.screen): Cursor {
  const { model = firstModelCursor } = cursor;
  const isBlind = shown === undefined || shown !== invocation.screen || invocation.pictureKey === null;
  const begun: ModelCursor = { ...conversationOf(model), mode: "element" };
  return withModel(cursor, begun, isBlind ? "see_screen" : undefined);
}
