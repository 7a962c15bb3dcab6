import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/paint-over.ts";
import {
  isSameSize,
  overlap,
  type Picture,
  type Rectangle,
  type Shift,
  shifted,
} from "../../picture/picture.ts";
import type { SavingAction } from "../../trajectory/action.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Acted } from "../desktop.ts";
import type { Cursor, RunStep, SavedValue, StepNext, StepTrail } from "../execution.ts";
import type { StepOutcome } from "../execution-store.ts";
import type { FilledAction } from "../texts/fill-action.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redact } from "../texts/redact.ts";
import type { World } from "../world.ts";
import { settleMs, withMasks } from "./await-element.ts";
import { leaveForLater } from "./away.ts";
import { joinedPainted, keepPicture, stillPainted } from "./keep-picture.ts";
import { Screen } from "./screen.ts";
import { wordsFor } from "./shown-action.ts";
import { type Failure, failure, type NextOfReplay, placeAfter, type StepResult } from "./step-result.ts";

export interface SentStep {
  readonly element: TrajectoryElement;
  readonly step: RunStep;
  readonly acted: Exclude<Acted, { readonly kind: "unknown" }>;
  readonly filled: Pick<FilledAction, "isOwn" | "hasSecret" | "pieces">;
  /** The screen before it; undefined where that is not known any more. */
  readonly before: Picture | undefined;
  /** It is the stored one, on which secrets are painted over. */
  readonly isBeforeStored: boolean;
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
  const { element, step, filled } = sent;
  const seen = look ?? (filled.hasSecret ? await world.desktop.look(settleMs) : undefined);
  // Where a secret is shown has to be known before any picture is kept; its row says `sending` until then.
  if (seen === undefined && filled.hasSecret) return await leaveForLater(world, cursor);
  world.screen = seen && new Screen(deps.pictures, seen);
  const after = world.screen?.picture;
  world.trail = trailAfter(sent, after);
  // Further pieces of a text may lie where the field does not show them.
  const isToBeSeen = element.action.type === "type" && cursor.piece === 0 && after !== undefined;
  if (isToBeSeen && !hasTyped(sent, after)) {
    const words = `step ${cursor.index} changed nothing on the screen: the field that it types into is not the recorded one`;
    return await end(world, cursor, sent, failure("replay_diverged", words));
  }
  const saved = await savedValue(world, element, text);
  if (saved === "too_large") {
    const words = `what step ${cursor.index} would save has more than ${savedCharactersMax} characters`;
    return await end(world, cursor, sent, failure("step_failed", words));
  }
  const kept = await keepPicture(world, step);
  const next = nextAfter(cursor, filled);
  await deps.executions.recordOutcome(step, {
    ...outcome(world, step, "done", next),
    ...kept,
    ...(saved && { saved }),
  });
  if (saved) world.saved.set(saved.name, saved.value);
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds: 0, yields: false };
}

export function nextAfter(
  { piece }: Cursor,
  { pieces }: Pick<FilledAction, "pieces">,
): NextOfReplay | undefined {
  return piece + 1 < pieces ? { kind: "piece" } : undefined;
}

async function end(world: World, cursor: Cursor, { step }: SentStep, ending: Failure): Promise<StepResult> {
  const kept = await keepPicture(world, step);
  const { errorCode } = ending;
  await world.deps.executions.recordOutcome(step, {
    ...outcome(world, step, "failed", { kind: "end", errorCode }),
    ...kept,
    error: ending.error,
  });
  return { kind: "end", end: ending, cursor };
}

/** @param next unless the next element comes. */
export function outcome(
  world: World,
  step: RunStep,
  status: StepOutcome["status"],
  next?: StepNext,
): StepOutcome {
  return {
    status,
    error: null,
    text: null,
    match: step.match,
    screenshot: null,
    pictureKey: null,
    durationMs: Math.max(0, world.deps.clock.now() - Date.parse(step.startedAt)),
    trail: { ...world.trail, ...(next && { next }) },
  };
}

/** What an action changed by more than a cursor. */
function changedBy(
  { before, isBeforeStored, step }: Before,
  after: Picture | undefined,
): readonly Rectangle[] {
  if (before === undefined || after === undefined) return [];
  if (!isSameSize(before, after)) return [];
  const now = isBeforeStored ? paintOver(after, step.trail.painted) : after;
  return changedParts(before, now).filter(isMoreThanCaret);
}

/** A guard is cut out of a wide field, in pixels: what is typed may begin so far beside it. */
const besideGuard = 320;

type Before = Pick<SentStep, "before" | "isBeforeStored" | "step">;

/**
 * Whether typing changed anything where it goes, as far as that can be known: a clock that ticks elsewhere says nothing
 * of it.
 */
export function hasTyped(sent: Omit<SentStep, "acted">, after: Picture): boolean {
  const { before, isBeforeStored, step } = sent;
  const { guard } = sent.element;
  if (before === undefined) return true;
  const changed = changedBy(sent, after);
  if (guard === undefined) return changed.length > 0;
  const { x, width, ...rows } = shifted(guard, step.trail.movedBy);
  const field = { ...rows, x: x - besideGuard, width: width + 2 * besideGuard };
  return [...changed, ...(isBeforeStored ? step.trail.painted : [])].some((part) => overlap(part, field));
}

/** What a step leaves: where the window is, what is not compared any more, what is painted over. */
export function trailAfter(sent: Omit<SentStep, "acted">, after: Picture | undefined): StepTrail {
  const { element, step, filled, before, isBeforeStored } = sent;
  const { movedBy } = step.trail;
  const isTyped = element.action.type === "type";
  const changed = isTyped ? changedBy(sent, after) : [];
  const masked =
    isTyped && filled.isOwn
      ? withMasks(step.trail, typedArea(element, changed, movedBy), movedBy)
      : step.trail;
  // What is painted over on the one cannot be compared with the other.
  const painted = isBeforeStored ? step.trail.painted : stillPainted(step.trail.painted, before, after);
  return {
    ...masked,
    painted: filled.hasSecret
      ? joinedPainted([...painted, ...typedArea(element, changed, movedBy)])
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
