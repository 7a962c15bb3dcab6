import { actionKinds } from "../../action/action.ts";
import type { Picture } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { contextOf, matchElement, stepMatch } from "../../screen/match-element.ts";
import { isNothingAlike, isStill, type StillScreen, stillSince } from "../../screen/still-screen.ts";
import { needsScreen, type TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { type SentElement, sendElement } from "../replay/act-element.ts";
import { followElement } from "../replay/follow-element.ts";
import { quietStep } from "../replay/quiet-step.ts";
import { awaitElement } from "../screen/await-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { next, placeAfter, type StepResult } from "../step/step-result.ts";
import { fitsWait, pauseMs } from "../step/time-left.ts";

const startMs = 2_000;

const resetMs = 5_000;

export type Start =
  | { readonly kind: "over"; readonly cursor: Cursor; readonly still?: StillScreen | undefined }
  | { readonly kind: "result"; readonly result: StepResult };

export async function reachStart(invocation: Invocation, cursor: Cursor): Promise<Start> {
  const { reset = [] } = invocation.plan.trajectory;
  const start = startOf(invocation);
  const at = cursor.reset?.at;
  const isToBegin = cursor.element === 0 && (cursor.piece === 0 || typeof at === "number");
  if (!isToBegin || at === null || reset.length === 0) return { kind: "over", cursor };
  if (start === undefined || !needsScreen(start)) return { kind: "over", cursor };
  if (typeof at === "number") return await goOnWithReset(invocation, cursor, at);
  const timeoutMs = Math.min(startMs, start.timeoutMs);
  const awaited = await awaitElement(invocation, 0, { ...start, timeoutMs }, cursor.waitedMs);
  switch (awaited.kind) {
    case "found":
    case "left_out":
      return { kind: "over", cursor };
    case "away":
      return resulting({ kind: "away", cursor });
    case "pauses":
      return resulting({ kind: "pauses", cursor: { ...cursor, waitedMs: awaited.waitedMs } });
    case "differs":
      return await goOnWithReset(invocation, { ...cursor, waitedMs: 0 }, 0, awaited.still);
  }
}

function startOf({ plan: { trajectory } }: Invocation): TrajectoryElement | undefined {
  return trajectory.start ?? trajectory.elements[0];
}

function isAtStart(invocation: Invocation, screen: Picture): boolean {
  const start = startOf(invocation);
  return (
    start !== undefined &&
    matchElement(screen, start, contextOf(invocation, invocation.trail, 0))?.isFound === true
  );
}

async function goOnWithReset(
  invocation: Invocation,
  cursor: Cursor,
  from: number,
  before?: StillScreen,
): Promise<Start> {
  const { deps, plan } = invocation;
  const { reset = [] } = plan.trajectory;
  if (cursor.piece > 0) {
    const seen = { at: from, trail: invocation.trail, match: null };
    return resulting(await resetStep(invocation, cursor, seen));
  }
  invocation.startAnew();
  const lookedFromMs = deps.clock.now();
  let still = before;
  for (;;) {
    const screen = await invocation.lastScreen();
    if (screen === undefined) return resulting({ kind: "away", cursor });
    if (isAtStart(invocation, screen.picture)) return { kind: "over", cursor: over(cursor), still };
    const waitedMs = cursor.waitedMs + deps.clock.now() - lookedFromMs;
    const seen = seenElement(invocation, screen.picture, { from, waitedMs });
    if (seen !== undefined) return resulting(await resetStep(invocation, cursor, seen));
    // The effect of a reset's step may take its time.
    still = from === 0 ? stillSince(still, screen.picture, deps.clock.now()) : undefined;
    if (still && isDeadEnd(invocation, still)) return { kind: "over", cursor: over(cursor), still };
    const waitsMs = Math.min(resetMs, Math.max(0, ...reset.slice(from).map(({ timeoutMs }) => timeoutMs)));
    if (waitedMs >= waitsMs) return { kind: "over", cursor: over(cursor), still };
    if (!fitsWait(invocation)) return resulting({ kind: "pauses", cursor: { ...cursor, waitedMs } });
    await deps.clock.sleep(Math.min(pauseMs, waitsMs - waitedMs));
    invocation.forgetScreen();
  }
}

function isDeadEnd(invocation: Invocation, still: StillScreen): boolean {
  const { deps, trail } = invocation;
  const element = startOf(invocation);
  if (element === undefined || !isStill(still, deps.clock.now())) return false;
  const context = contextOf(invocation, trail, 0);
  const match = matchElement(still.picture, element, context);
  return match !== undefined && isNothingAlike(still.picture, { element, before: [] }, match, context);
}

function resulting(result: StepResult): Start {
  return { kind: "result", result };
}

interface ResetElement extends Pick<SentElement, "trail" | "match" | "underWay"> {
  readonly at: number;
}

/** Elements before a visible one are not needed. */
function seenElement(
  invocation: Invocation,
  screen: Picture,
  { from, waitedMs }: { readonly from: number; readonly waitedMs: number },
): ResetElement | undefined {
  const { trail, plan } = invocation;
  const { reset = [] } = plan.trajectory;
  for (const [at, element] of reset.entries()) {
    if (at < from) continue;
    const match = matchElement(screen, element, contextOf(invocation, trail, at, reset));
    if (match === undefined) return { at, trail, match: null };
    if (match.isFound)
      return { at, trail: { ...trail, movedBy: match.movedBy }, match: stepMatch(match, waitedMs) };
  }
  return undefined;
}

async function resetStep(
  invocation: Invocation,
  before: Cursor,
  { at, ...sent }: ResetElement,
): Promise<StepResult> {
  const cursor = cursorAt(before, at);
  const element = elementAt(invocation, at);
  const follow = (row: RunStep) => followReset(cursor, element, row);
  const { action } = element;
  const result =
    actionKinds[action.type].doneBy === "service"
      ? await quietStep(invocation, cursor, action, follow)
      : await sendElement(invocation, cursor, { ...sent, element, follow });
  // A step that is left for later stays at its element.
  return result.kind === "away" || result.kind === "pauses" ? { cursor, ...result } : result;
}

export async function resumeReset(
  invocation: Invocation,
  before: Cursor,
  step: RunStep,
): Promise<StepResult> {
  const { reset: at = before.reset?.at ?? 0 } = step.trail;
  if (step.status === "sending") {
    return await resetStep(invocation, before, { at, trail: step.trail, match: null, underWay: step });
  }
  invocation.goOnFrom(step);
  return followReset(cursorAt(before, at), elementAt(invocation, at), step);
}

/** A refused element does not end the run: another one may help. */
function followReset(cursor: Cursor, element: TrajectoryElement, row: RunStep): StepResult {
  return row.trail.next?.kind === "end" ? next(placeAfter(cursor)) : followElement(cursor, element, row);
}

function cursorAt(cursor: Cursor, at: number): Cursor {
  return { ...cursor, reset: { taken: 0, ...cursor.reset, at } };
}

function elementAt({ plan }: Invocation, at: number): TrajectoryElement {
  const element = plan.trajectory.reset?.[at];
  if (element === undefined) throw new Error("the reset has no such element");
  return element;
}

export function afterReset(cursor: Cursor): Cursor {
  return typeof cursor.reset?.at === "number" ? over(cursor) : cursor;
}

function over(cursor: Cursor): Cursor {
  return { ...cursor, waitedMs: 0, reset: { taken: 0, ...cursor.reset, at: null } };
}
