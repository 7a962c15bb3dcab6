import { type Action, findKind } from "../action/action.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { mayBeLeftOut } from "../trajectory/approval/reset-problem.ts";

/** What a model did between a replayed step that could not be done and the next one. */
interface Repair {
  /** The element that could not be done. */
  readonly at: number;
  readonly steps: readonly RunStep[];
  /** The replayed step after it; undefined where the replay did not go on. */
  readonly next: RunStep | undefined;
}

/**
 * The steps in which a model brought back the first recorded screen, after which the replay began: they lead to the work and
 * are none of it. None of a repair that did the first element itself.
 */
export function startRepairs(steps: readonly RunStep[]): ReadonlySet<RunStep> {
  const begun = steps.findIndex((step) => isReplayed(step) && step.status !== "failed");
  const repairs = steps.slice(0, Math.max(0, begun)).flatMap((_, at) => repairAt(steps, at) ?? []);
  const led = repairs.filter(({ at, next }) => at === 0 && next?.trail.element === 0);
  return new Set(led.filter((each) => !hasDoneStep(each)).flatMap((each) => each.steps));
}

/**
 * The steps of repairs after which the element itself was replayed, and those of repairs that did it themselves last, before it: what
 * they took out of the way may not be there the next time. None of a repair that typed or saved something there.
 */
export function putInByRepairs(steps: readonly RunStep[]): ReadonlySet<RunStep> {
  const repairs = steps.flatMap((_, at) => repairAt(steps, at) ?? []);
  const putIn = repairs.filter(({ at }) => at > 0).map(stepsPutIn);
  return new Set(putIn.filter((each) => each.every(isOfScreen)).flat());
}

function stepsPutIn({ at, steps, next }: Repair): readonly RunStep[] {
  if (next === undefined) return [];
  if (next.trail.element === at) return steps;
  const itself = steps.findIndex(({ trail }) => trail.repair?.isStepDone === true);
  return itself >= 0 && !steps.slice(itself + 1).some(isAction) ? steps.slice(0, itself) : [];
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

function hasDoneStep({ steps }: Repair): boolean {
  return steps.some(({ trail }) => trail.repair?.isStepDone === true);
}

function isReplayed({ source }: RunStep): boolean {
  return source === "replay";
}

/** What was not done changed nothing. */
function isAction({ source, status, action }: RunStep): boolean {
  if (source !== "model" || status !== "done" || action.type === "finish") return false;
  return findKind(action.type)?.doneBy !== "service";
}

function isOfScreen(step: RunStep): boolean {
  return !isAction(step) || mayBeLeftOut({ action: step.action as unknown as Action, by: "replay" });
}
