import { modelWords } from "../../model/model-words.ts";
import type { Picture } from "../../picture/picture.ts";
import type { RepairTrail, RunStep, StepNext } from "../../run-step/run-step.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { look } from "../replay/await-element.ts";
import { awaitOutcome } from "../replay/await-outcome.ts";
import { leaveForLater } from "../replay/away.ts";
import { isEnd, isPieceOf, isScreenOf, needsNoScreen, nextScreens } from "../replay/recorded-screens.ts";
import { newRepairTrail } from "../replay/repair-trail.ts";
import { advanced, failure, type StepResult } from "../replay/step-result.ts";
import type { World } from "../world.ts";
import { afterUnseen } from "./after-unseen.ts";
import { conversationOf, firstModelCursor, goToNext } from "./model-cursor.ts";
import { mayGoOnAt, reachedGoal } from "./reached-goal.ts";
import { notOfScreen, type SentDecision } from "./settle-decided.ts";

/** Repairs of a run; then the model goes on alone. */
const repairsMax = 3;

/** Ends of a repair that were none, before the model goes on alone. */
const misfitsMax = 3;

interface PlannedRepair {
  readonly next: Extract<StepNext, { readonly kind: "model" }>;
  /** Undefined where the model goes on alone. */
  readonly repair?: RepairTrail;
}

/** What a model may do where the screen is not the recorded one; undefined for a run that no model may help. */
export function repairOf(
  world: World,
  cursor: Cursor,
  screen: Picture | undefined,
): PlannedRepair | undefined {
  if (world.plan.model === null) return undefined;
  if ((cursor.model?.repairs ?? 0) >= repairsMax) return { next: { kind: "model", goals: null } };
  // What is to be seen while the replay cannot go on says nothing of when it can.
  const goals = nextScreens(world, cursor.element).filter(
    (at) => at === cursor.element || screen === undefined || !isScreenOf(world, screen, at),
  );
  const repair = newRepairTrail(world, cursor.element, goals, screen);
  return { next: { kind: "model", goals }, repair };
}

/** The model's turn, after a step that was not done: it is none of those that count. */
export function beginRepair(
  cursor: Cursor,
  { goals }: Extract<StepNext, { readonly kind: "model" }>,
): StepResult {
  const before = cursor.model ?? firstModelCursor;
  const begun = { ...conversationOf(before), isBlind: false, looks: before.looks + 1 };
  return goToNext(
    cursor,
    goals === null
      ? { ...begun, mode: "task" }
      : { ...begun, mode: "repair", goals, repairs: before.repairs + 1 },
  );
}

/** After each action of a repair: goes on with the replay where its screen is seen. */
export async function backToReplay(world: World, before: Cursor, result: StepResult): Promise<StepResult> {
  if (result.kind !== "next") return result;
  const { cursor } = result;
  const { model } = cursor;
  if (model?.mode !== "repair" || cursor.index === before.index) return result;
  // In the middle of a text or of a call, in which a key may be held.
  const isWithin = cursor.piece > 0 || (model.place !== null && model.place.action > 0);
  if (isWithin || model.isBlind) return result;
  const screen = world.screen ?? (await look(world));
  if (screen === undefined) return result;
  const at = reachedGoal(world, cursor, model.goals ?? [], screen.picture);
  return at === undefined ? result : { ...result, cursor: replayFrom(cursor, model, at) };
}

/** What a model says of its repair with `finish`: the step is done, or not needed. What comes next has to be seen. */
export async function endRepair(
  world: World,
  cursor: Cursor,
  { model, step }: Pick<SentDecision, "model" | "step">,
): Promise<StepResult> {
  const screen = world.screen ?? (await look(world));
  if (screen === undefined) return await leaveForLater(world, cursor);
  const after = await whereAfter(world, cursor, screen.picture);
  if (after.kind === "away") return await leaveForLater(world, cursor);
  const { next, error } = after;
  const recorded: RunStep = {
    ...step,
    action: { type: "finish" },
    durationMs: 0,
    status: error === null ? "done" : "failed",
    error,
    trail: { ...step.trail, decided: notOfScreen(model), ...(next && { next }) },
  };
  if (!(await world.deps.executions.recordStep(recorded))) return { kind: "ended" };
  world.trail = recorded.trail;
  return afterRepair(cursor, model, recorded);
}

type Repaired =
  | { readonly kind: "after"; readonly next?: StepNext; readonly error: string | null }
  | { readonly kind: "away" };

/** Where the replay goes on after a repair; at its end the work has to be seen. */
async function whereAfter(world: World, { element }: Cursor, screen: Picture): Promise<Repaired> {
  const hasActed = world.trail.repair?.hasActed === true;
  const places = [...nextScreens(world, element + 1), element].filter((at) => mayGoOnAt(world, element, at));
  const at =
    needsNoScreen(world, element + 1) && mayGoOnAt(world, element, element + 1)
      ? element + 1
      : places.find(
          (each) => isScreenOf(world, screen, each) || (hasActed && isPieceOf(world, screen, each)),
        );
  if (at !== element && isEnd(world, element + 1) && mayGoOnAt(world, element, element + 1)) {
    const missing = await awaitOutcome(world);
    if (missing === "away") return { kind: "away" };
    if (missing !== undefined) {
      const next = { kind: "end", errorCode: "outcome_not_seen" } as const;
      return { kind: "after", next, error: `the task is not done: ${missing}` };
    }
    return { kind: "after", next: { kind: "replay", element: element + 1 }, error: null };
  }
  if (at === undefined) return { kind: "after", error: modelWords.notRepaired };
  return { kind: "after", next: { kind: "replay", element: at }, error: null };
}

/** What follows from its row. */
export function afterRepair(
  cursor: Cursor,
  before: ModelCursor,
  { error, trail: { next } }: Pick<RunStep, "error" | "trail">,
): StepResult {
  const model: ModelCursor = { ...before, place: null, idle: 0, repaired: before.repaired + 1 };
  if (next?.kind === "replay") {
    const after = advanced(cursor, { element: cursor.element });
    return { kind: "next", cursor: replayFrom(after, model, next.element), waitSeconds: 0, yields: false };
  }
  if (next?.kind === "end") {
    return afterUnseen(cursor, model, failure(next.errorCode, error ?? "the work is not to be seen"));
  }
  const misfits = model.misfits + 1;
  return misfits < misfitsMax
    ? goToNext(cursor, { ...model, misfits })
    : goToNext(cursor, { ...conversationOf(model), mode: "task" });
}

function replayFrom(cursor: Cursor, model: ModelCursor, element: number): Cursor {
  return { ...cursor, element, model: { ...conversationOf(model), mode: "replay" } };
}

/** An element that a model decides, in a conversation of its own, by the screen as it is now. */
export function beginElement(world: World, { model = firstModelCursor }: Cursor): ModelCursor {
  const isBlind = world.screen === undefined || world.pictureKey === null;
  return { ...conversationOf(model), mode: "element", isBlind };
}
