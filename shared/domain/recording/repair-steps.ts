import { type Action, findKind } from "../action/action.ts";
import { findAnchor } from "../picture/find-anchor.ts";
import { matchThumbnail } from "../picture/match-thumbnail.ts";
import { type PictureCodec, pictureOf } from "../picture/picture-codec.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { mayBeLeftOut } from "../trajectory/approval/reset-problem.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import type { PlacedScreen } from "./placed-screen.ts";

interface Repair {
  readonly at: number;
  readonly steps: readonly RunStep[];
  readonly next: RunStep | undefined;
}

/** These steps restored the first recorded screen; a repair that did the first element itself has none. */
export function startRepairs(steps: readonly RunStep[]): ReadonlySet<RunStep> {
  const begun = steps.findIndex((step) => isReplayed(step) && step.status !== "failed");
  const repairs = steps.slice(0, Math.max(0, begun)).flatMap((_, at) => repairAt(steps, at) ?? []);
  const led = repairs.filter(({ at, next }) => at === 0 && next?.trail.element === 0);
  return new Set(led.filter((each) => !each.steps.some(hasDoneStep)).flatMap((each) => each.steps));
}

/** Obstacles that these steps removed may be missing next time. Repairs that typed or saved have no such steps. */
export function putInByRepairs(steps: readonly RunStep[]): ReadonlySet<RunStep> {
  const led = repairsOf(steps).filter(({ at, next }) => at > 0 && next?.trail.element === at);
  return new Set(led.filter((each) => each.steps.every(isOfScreen)).flatMap((each) => each.steps));
}

/** A repair that ended by doing the element itself has earlier steps, unless they typed or saved. */
export function putInBefore(steps: readonly RunStep[]): ReadonlyMap<RunStep, readonly RunStep[]> {
  const led = repairsOf(steps).filter(({ at, next }) => at > 0 && next && next.trail.element !== at);
  return new Map(
    led.flatMap((repair): readonly (readonly [RunStep, readonly RunStep[]])[] => {
      const at = repair.steps.findIndex(hasDoneStep);
      const [before, itself] = [repair.steps.slice(0, Math.max(0, at)), repair.steps[at]];
      const isLast = !repair.steps.slice(at + 1).some(isAction);
      return itself !== undefined && isLast && before.every(isOfScreen) ? [[itself, before]] : [];
    }),
  );
}

function repairsOf(steps: readonly RunStep[]): readonly Repair[] {
  return steps.flatMap((_, at) => repairAt(steps, at) ?? []);
}

function repairAt(steps: readonly RunStep[], index: number): Repair | undefined {
  const { source, trail } = steps[index] ?? {};
  if (source !== "replay" || trail?.next?.kind !== "model" || trail.next.goals === null) return undefined;
  if (trail.element === null) return undefined;
  const after = steps.slice(index + 1);
  const end = after.findIndex(isReplayed);
  return {
    at: trail.element,
    steps: end < 0 ? after : after.slice(0, end),
    next: end < 0 ? undefined : after[end],
  };
}

function hasDoneStep({ trail }: RunStep): boolean {
  return trail.repair?.isStepDone === true;
}

function isReplayed({ source }: RunStep): boolean {
  return source === "replay";
}

function isAction({ source, status, action }: RunStep): boolean {
  if (source !== "model" || status !== "done" || action.type === "finish") return false;
  const doneBy = findKind(action.type)?.doneBy;
  return doneBy !== "service" && doneBy !== "person";
}

function isOfScreen(step: RunStep): boolean {
  return !isAction(step) || mayBeLeftOut({ action: step.action as unknown as Action, by: "replay" });
}

interface PutIn {
  readonly at: number;
  readonly before: PlacedScreen | undefined;
}

/** A replay skips an optional element wherever the step's own screen is visible, so its change must show there. */
export class PutInSteps {
  readonly #putInBefore: ReadonlyMap<RunStep, readonly RunStep[]>;
  readonly #putIn = new Map<RunStep, PutIn | undefined>();

  constructor(putInBefore: ReadonlyMap<RunStep, readonly RunStep[]>) {
    this.#putInBefore = putInBefore;
    for (const step of [...putInBefore.values()].flat()) this.#putIn.set(step, undefined);
  }

  recorded(
    pictures: PictureCodec,
    elements: TrajectoryElement[],
    { step, before }: { readonly step: RunStep; readonly before: PlacedScreen | undefined },
  ): void {
    if (this.#putIn.has(step)) this.#putIn.set(step, { at: elements.length - 1, before });
    const element = elements.at(-1);
    const putIn = (this.#putInBefore.get(step) ?? []).flatMap((each) => this.#putIn.get(each) ?? []);
    if (element === undefined || putIn.some((each) => isSeen(pictures, element, each.before))) return;
    for (const { at } of putIn) {
      const known = elements[at];
      if (known !== undefined && mayBeLeftOut(known)) elements[at] = { ...known, optional: true };
    }
  }
}

/** A replay never waits for an element that a model decides. */
function isSeen(
  pictures: PictureCodec,
  { by, anchor, guard }: TrajectoryElement,
  screen: PlacedScreen | undefined,
): boolean {
  if (by === "model") return false;
  const piece = anchor ?? guard;
  if (piece === undefined || screen === undefined) return true;
  const { x, y, png, thumbnail } = piece;
  return (
    (thumbnail === undefined || matchThumbnail(screen.small, pictureOf(pictures, thumbnail)).isSame) &&
    findAnchor(screen.picture, { x, y, piece: pictureOf(pictures, png) }).kind === "found"
  );
}
