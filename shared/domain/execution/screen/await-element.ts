import { movingParts } from "../../picture/changes.ts";
import type { Picture } from "../../picture/picture.ts";
import type { StepMatch, StepTrail } from "../../run-step/run-step.ts";
import { contextOf, type ElementMatch, matchElement, stepMatch } from "../../screen/match-element.ts";
import { isPast } from "../../screen/recorded-screens.ts";
import { afterRepairTrail } from "../../screen/repair-trail.ts";
import { isNothingAlike, isStill, type StillScreen, stillSince } from "../../screen/still-screen.ts";
import { withMasks } from "../../screen/trail-parts.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { fitsWait, leftMs, pauseMs, sleepWithin } from "../step/time-left.ts";

export type Awaited =
  | { readonly kind: "found"; readonly trail: StepTrail; readonly match: StepMatch | null }
  /** The next screen is visible, or the optional element's own did not appear in time. */
  | { readonly kind: "left_out" }
  | { readonly kind: "differs"; readonly match: StepMatch; readonly still: StillScreen }
  | { readonly kind: "away" }
  | { readonly kind: "pauses"; readonly waitedMs: number };

/** Moving parts are masked; an optional element is left out as soon as a later one can be done. */
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

/** Parts that change in three pictures without an action move by themselves; the first is the reference. */
const looksOfMotion = 4;

/** A display keeps its size, so that waiting is futile. */
function isHopeless({ reason }: ElementMatch): boolean {
  return reason === "nothing_recorded" || reason === "wrong_size";
}
