import { movingParts } from "../../picture/changes.ts";
import { holds, type Picture, type Rectangle, reversed, type Shift, shifted } from "../../picture/picture.ts";
import type { StepMatch, StepTrail } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { fitsWait, leftMs, pauseMs, sleepWithin } from "../step/time-left.ts";
import { contextOf } from "./context-of.ts";
import { isNothingAlike, isStill, type StillScreen, stillSince } from "./dead-end.ts";
import { type ElementMatch, matchElement, stepMatch } from "./match-element.ts";
import { isPast } from "./recorded-screens.ts";
import { afterRepairTrail } from "./repair-trail.ts";

export type Awaited =
  /** The screen is the recorded one, or none is needed. */
  | { readonly kind: "found"; readonly trail: StepTrail; readonly match: StepMatch | null }
  /** An optional one is not needed: what comes after it is to be seen, or its own screen was not in time. */
  | { readonly kind: "left_out" }
  /** It was not in time. */
  | { readonly kind: "differs"; readonly match: StepMatch; readonly still: StillScreen }
  | { readonly kind: "away" }
  /** The time of this invocation, or of the run, is over. */
  | { readonly kind: "pauses"; readonly waitedMs: number };

/**
 * Looks until the screen is the one on which the element was recorded. What moves by itself is left out of what is
 * compared, once it was seen to. An optional element is left out as soon as one after it can be done.
 *
 * @param at its place in the trajectory.
 * @param waitedBeforeMs in earlier invocations.
 * @param stillBefore the screen as it was seen to be still in a wait just before.
 */
export async function awaitElement(
  invocation: Invocation,
  at: number,
  element: TrajectoryElement,
  waitedBeforeMs: number,
  stillBefore?: StillScreen,
): Promise<Awaited> {
  const { deps } = invocation;
  const lookedFromMs = deps.clock.now();
  const before = invocation.plan.trajectory.elements.slice(0, at);
  const looks: Picture[] = [];
  let { trail } = invocation;
  let still = stillBefore;
  for (;;) {
    const screen = await invocation.lastScreen();
    if (screen === undefined) return { kind: "away" };
    if (element.optional === true && isPast(invocation, screen.picture, at)) return { kind: "left_out" };
    const context = contextOf(invocation, trail, at);
    const match = matchElement(screen.picture, element, context);
    if (match === undefined) return { kind: "found", trail, match: null };
    const nowMs = deps.clock.now();
    const waitedMs = waitedBeforeMs + nowMs - lookedFromMs;
    if (match.isFound) {
      return {
        kind: "found",
        trail: afterRepairTrail(screen.picture, element, {
          ...context,
          trail: { ...trail, movedBy: match.movedBy },
        }),
        match: stepMatch(match, waitedMs),
      };
    }
    still = stillSince(still, screen.picture, nowMs);
    const differs: Awaited =
      element.optional === true
        ? { kind: "left_out" }
        : { kind: "differs", match: stepMatch(match, waitedMs), still };
    if (waitedMs >= element.timeoutMs || isHopeless(match)) return differs;
    if (isStill(still, nowMs) && isNothingAlike(screen.picture, { element, before }, match, context)) {
      return differs;
    }
    if (!fitsWait(invocation) || leftMs(invocation) === 0) return { kind: "pauses", waitedMs };
    looks.push(screen.picture);
    if (looks.length >= looksOfMotion) {
      trail = withMasks(trail, movingParts(looks.splice(0)), trail.movedBy);
    }
    await sleepWithin(invocation, Math.min(pauseMs, element.timeoutMs - waitedMs));
    invocation.forgetScreen();
  }
}

/** Parts that changed in each of three without an action move by themselves; the first shows what from. */
const looksOfMotion = 4;

/** No waiting makes it another one: a display keeps its size. */
function isHopeless({ reason }: ElementMatch): boolean {
  return reason === "nothing_recorded" || reason === "wrong_size";
}

/** More parts that are not compared, as they lay on the recorded screen. */
export function withMasks(trail: StepTrail, onScreen: readonly Rectangle[], movedBy: Shift): StepTrail {
  const masks = onScreen.map((part) => shifted(part, reversed(movedBy)));
  return { ...trail, masks: bounded([...trail.masks, ...masks]) };
}

/** A step's row stays small. The oldest are left out: more is compared then, which at worst finds a difference. */
function bounded(masks: readonly Rectangle[]): readonly Rectangle[] {
  const known = masks.filter(
    (mask, at) =>
      !masks.some(
        (other, index) => index !== at && holds(other, mask) && (index < at || !holds(mask, other)),
      ),
  );
  return known.slice(-masksMax);
}

const masksMax = 40;
