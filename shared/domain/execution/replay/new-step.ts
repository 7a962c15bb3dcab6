import type { Cursor, RunStep, StepTrail } from "../execution.ts";
import { stepsBeforeActions } from "../files/run-files.ts";
import type { World } from "../world.ts";
import { roundsOf } from "./rounds.ts";

/** A step that is about to be done. Its picture is the one before, until it has its own. */
export function newStep(
  { job, plan, pictureKey }: World,
  { index }: Pick<Cursor, "index">,
  step: Pick<RunStep, "action" | "match" | "trail" | "startedAt"> &
    Partial<Pick<RunStep, "source" | "status" | "text" | "model" | "usage">>,
): RunStep {
  const { organizationId, runId, assignmentId } = job;
  const of = plan.workflow.maxSteps * roundsOf(plan);
  // Files count for nothing.
  const inAttempt = index - plan.stepsBefore - stepsBeforeActions(plan.files);
  return {
    ...{ organizationId, runId, assignmentId, index, attempt: plan.attempt },
    inAttempt: { step: Math.min(of, Math.max(1, inAttempt)), of },
    ...{ source: "replay", status: "sending" },
    ...{ text: null, model: null, usage: null, error: null, screenshot: null, durationMs: null },
    pictureKey,
    ...step,
    trail: undecided(step.trail),
  };
}

/** What came after the step before, and who decided it, is not this one's. */
function undecided({ next: _next, decided: _decided, ...trail }: StepTrail): StepTrail {
  return trail;
}
