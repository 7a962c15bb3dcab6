import { isoTimestamp } from "../../clock.ts";
import type { Plan } from "../../plan/plan.ts";
import { stepsBeforeActions } from "../../plan/run-files.ts";
import type { PlaceInAttempt, RunStep } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { roundsOf } from "./rounds.ts";

type Place = Pick<Cursor, "index"> & Partial<Pick<Cursor, "element" | "model">>;

/** The step has the previous picture until it gets its own. */
export function newStep(
  { deps, job, plan, pictureKey, trail }: Invocation,
  cursor: Place,
  step: Pick<RunStep, "action"> & Partial<RunStep>,
): RunStep {
  const { organizationId, runId, assignmentId } = job;
  return {
    organizationId,
    runId,
    assignmentId,
    index: cursor.index,
    attempt: plan.attempt,
    inAttempt: placeOf(plan, cursor),
    source: "replay",
    status: "sending",
    text: null,
    model: null,
    usage: null,
    error: null,
    match: null,
    screenshot: null,
    durationMs: null,
    pictureKey,
    startedAt: isoTimestamp(deps.clock.now()),
    trail,
    ...step,
  };
}

export function durationOf({ deps }: Pick<Invocation, "deps">, { startedAt }: RunStep): number {
  return Math.max(0, deps.clock.now() - Date.parse(startedAt));
}

function placeOf(plan: Plan, { index, element, model }: Place): PlaceInAttempt {
  const elements = plan.trajectory.elements.length;
  if (element !== undefined && elements > 0 && model?.mode !== "task") {
    return { step: Math.min(elements, element + 1), of: elements, ofElements: true };
  }
  const of = plan.workflow.maxSteps * roundsOf(plan);
  // Files do not count.
  const step = index - plan.stepsBefore - stepsBeforeActions(plan.files);
  return { step: Math.min(of, Math.max(1, step)), of };
}

export async function freeIndex({ deps, job }: Invocation, cursor: Cursor): Promise<number> {
  const last = await deps.executions.findLastStep(job.organizationId, job.runId);
  return Math.max(cursor.index, 1 + (last?.index ?? 0));
}
