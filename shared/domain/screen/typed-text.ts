import { changedParts, isMoreThanCaret } from "../picture/changes.ts";
import { paintOver } from "../picture/edit-picture.ts";
import {
  frameOf,
  grown,
  isSameSize,
  overlap,
  type Picture,
  type Rectangle,
  type Shift,
  shifted,
} from "../picture/picture.ts";
import type { RunStep, StepTrail } from "../run-step/run-step.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { joinedPainted, stillPainted, withMasks } from "./trail-parts.ts";

export interface FilledText {
  readonly isOwn: boolean;
  readonly hasSecret: boolean;
  readonly piece: number;
  readonly pieces: number;
}

export interface SentStep {
  readonly element: TrajectoryElement;
  readonly step: RunStep;
  readonly filled: FilledText;
  readonly before: Picture | undefined;
  /** The stored screen has secrets painted over. */
  readonly isBeforeStored: boolean;
}

export function changedBy(
  { before, isBeforeStored, step }: Before,
  after: Picture | undefined,
): readonly Rectangle[] {
  if (before === undefined || after === undefined) return [];
  if (!isSameSize(before, after)) return [];
  const now = isBeforeStored ? paintOver(after, step.trail.painted) : after;
  return changedParts(before, now).filter(isMoreThanCaret);
}

/** A guard is part of a wide field, so typing may begin this many pixels beside it. */
const besideGuard = 320;

type Before = Pick<SentStep, "before" | "isBeforeStored" | "step">;

/** Changes outside the field, such as a clock's, say nothing about typing. */
export function hasTyped(sent: SentStep, after: Picture): boolean {
  const { before, isBeforeStored, step } = sent;
  if (before === undefined) return true;
  const changed = changedBy(sent, after);
  const field = fieldOf(sent);
  if (field === undefined) return changed.length > 0;
  return [...changed, ...(isBeforeStored ? step.trail.painted : [])].some((part) => overlap(part, field));
}

export function fieldOf({ element: { guard }, step }: SentStep): Rectangle | undefined {
  if (guard === undefined) return undefined;
  return grown(shifted(guard, step.trail.movedBy), besideGuard, 0);
}

export function trailAfter(sent: SentStep, after: Picture | undefined): StepTrail {
  const { element, step, filled, before, isBeforeStored } = sent;
  const { movedBy } = step.trail;
  const isTyped = element.action.type === "type";
  const changed = isTyped ? changedBy(sent, after) : [];
  const masked =
    isTyped && filled.isOwn
      ? withMasks(step.trail, typedArea(element, changed, movedBy), movedBy)
      : step.trail;
  // A painted picture cannot be compared with an unpainted one.
  const painted = isBeforeStored ? step.trail.painted : stillPainted(step.trail.painted, before, after);
  return {
    ...masked,
    painted: filled.hasSecret
      ? joinedPainted([...painted, ...typedArea(element, changed, movedBy)])
      : painted,
  };
}

/** The recorded text may have been longer, so without its own recorded part the guard's whole line counts. */
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
