import { changedParts } from "../picture/changes.ts";
import { type Picture, type Rectangle, type Shift, shifted } from "../picture/picture.ts";
import type { SavingAction } from "../trajectory/action.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { withMasks } from "./await-element.ts";
import { leaveForLater } from "./away.ts";
import type { Acted } from "./desktop.ts";
import type { Cursor, RunStep, SavedValue, StepTrail } from "./execution.ts";
import type { StepOutcome } from "./execution-store.ts";
import type { FilledAction } from "./fill-action.ts";
import { isMoreThanCaret, keepPicture, stillPainted } from "./keep-picture.ts";
import { readSecrets } from "./read-secrets.ts";
import { redact } from "./redact.ts";
import { Screen } from "./screen.ts";
import { wordsFor } from "./shown-action.ts";
import { advanced, failure, type StepResult } from "./step-result.ts";
import type { World } from "./world.ts";

export interface SentStep {
  readonly element: TrajectoryElement;
  readonly step: RunStep;
  readonly acted: Exclude<Acted, { readonly kind: "unknown" }>;
  readonly filled: Pick<FilledAction, "isOwn" | "hasSecret" | "pieces">;
  /** The screen before it; undefined where that is not known any more. */
  readonly before: Picture | undefined;
}

/** What follows from what became of an action. */
export async function settleStep(world: World, cursor: Cursor, sent: SentStep): Promise<StepResult> {
  const { executions } = world.deps;
  const { acted, step, element } = sent;
  switch (acted.kind) {
    case "away":
      await executions.withdraw(step);
      return await leaveForLater(world, cursor);
    case "uncertain":
      // Its row still says `sending`: the next try asks what became of it.
      return await leaveForLater(world, cursor);
    case "failed": {
      const error = redact(acted.error, await readSecrets(world));
      const words = `the desktop refused step ${cursor.index} (${wordsFor(element.action)}): ${error}`;
      return await end(world, cursor, sent, failure("step_failed", words));
    }
    case "done":
      return await done(world, cursor, sent, acted);
  }
}

async function done(
  world: World,
  cursor: Cursor,
  sent: SentStep,
  { text, look }: Extract<Acted, { kind: "done" }>,
): Promise<StepResult> {
  const { deps } = world;
  const { element, step, filled, before } = sent;
  world.screen = look && new Screen(deps.pictures, look);
  const after = world.screen?.picture;
  const isTyped = element.action.type === "type";
  world.trail = trailAfter(sent, after);
  if (isTyped && typedParts(before, after).length === 0 && before !== undefined && after !== undefined) {
    const words = `step ${cursor.index} changed nothing on the screen: the field that it types into is not the recorded one`;
    return await end(world, cursor, sent, failure("replay_diverged", words));
  }
  const saved = await savedValue(world, element, text);
  if (saved === "too_large") {
    const words = `what step ${cursor.index} would save has more than ${savedCharactersMax} characters`;
    return await end(world, cursor, sent, failure("step_failed", words));
  }
  const kept = await keepPicture(world, step);
  await deps.executions.recordOutcome(step, {
    ...outcome(world, step, "done"),
    ...kept,
    ...(saved && { saved }),
  });
  if (saved) world.saved.set(saved.name, saved.value);
  const isLast = cursor.piece + 1 >= filled.pieces;
  const next = advanced(
    cursor,
    isLast ? { element: cursor.element + 1 } : { element: cursor.element, piece: cursor.piece + 1 },
  );
  return { kind: "next", cursor: next, waitSeconds: 0, yields: false };
}

async function end(
  world: World,
  cursor: Cursor,
  { step }: SentStep,
  ending: ReturnType<typeof failure>,
): Promise<StepResult> {
  const kept = await keepPicture(world, step);
  await world.deps.executions.recordOutcome(step, {
    ...outcome(world, step, "failed"),
    ...kept,
    error: ending.error,
  });
  return { kind: "end", end: ending, cursor };
}

export function outcome(world: World, step: RunStep, status: StepOutcome["status"]): StepOutcome {
  return {
    status,
    error: null,
    text: null,
    match: step.match,
    screenshot: null,
    pictureKey: null,
    durationMs: Math.max(0, world.deps.clock.now() - Date.parse(step.startedAt)),
    trail: world.trail,
  };
}

/** What was typed changed more than a cursor. */
function typedParts(before: Picture | undefined, after: Picture | undefined): readonly Rectangle[] {
  if (before === undefined || after === undefined) return [];
  if (before.width !== after.width || before.height !== after.height) return [];
  return changedParts(before, after).filter(isMoreThanCaret);
}

/** What a step leaves: where the window is, what is not compared any more, what is painted over. */
export function trailAfter(
  { element, step, filled, before }: Omit<SentStep, "acted">,
  after: Picture | undefined,
): StepTrail {
  const { action } = element;
  const { movedBy } = step.trail;
  const isTyped = action.type === "type";
  const changed = isTyped ? typedParts(before, after) : [];
  const masked =
    isTyped && filled.isOwn
      ? withMasks(step.trail, typedArea(element, changed, movedBy), movedBy)
      : step.trail;
  const painted = stillPainted(step.trail.painted, before, after);
  return {
    ...masked,
    painted: filled.hasSecret
      ? [...painted, ...typedArea(element, changed, movedBy)].slice(-paintedMax)
      : painted,
  };
}

/**
 * Where a text is on the screen, this run's and the recorded one, which may have been longer: without its own part on
 * record all of the line within the field's guard.
 */
function typedArea(
  { guard, changed: recorded }: TrajectoryElement,
  changed: readonly Rectangle[],
  movedBy: Shift,
): readonly Rectangle[] {
  if (recorded !== undefined) return [...changed, shifted(recorded, movedBy)];
  if (guard === undefined) return changed;
  const field = shifted(frameOf(guard), movedBy);
  if (changed.length === 0) return [field];
  return changed.flatMap((part) => [part, { ...part, x: field.x, width: field.width }]);
}

const paintedMax = 40;

function frameOf({ x, y, width, height }: Rectangle): Rectangle {
  return { x, y, width, height };
}

/** Larger ones are for files. */
const savedCharactersMax = 65_536;

async function savedValue(
  world: World,
  { action }: TrajectoryElement,
  text: string | undefined,
): Promise<SavedValue | "too_large" | undefined> {
  if (text === undefined || !("save_as" in action)) return undefined;
  const { save_as: name } = action as SavingAction;
  const value = redact(text, await readSecrets(world));
  return value.length > savedCharactersMax ? "too_large" : { name, value };
}
