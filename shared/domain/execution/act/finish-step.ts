import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { Json, JsonObject } from "../../json.ts";
import { type FilledOutput, fillInOutput } from "../../placeholder/fill-in.ts";
import type { SavedValue } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor, RunEnding } from "../execution.ts";
import { answerOutput, judgeSentences } from "../model/judge-outcome.ts";
import { look } from "../screen/await-element.ts";
import { awaitOutcome, type Missing } from "../screen/await-outcome.ts";
import { leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { newStep } from "../step/new-step.ts";
import { beginRound, roundAfter } from "../step/rounds.ts";
import { failure, type StepResult, truncated } from "../step/step-result.ts";

/**
 * Ends a replay: its last screen must be the recorded one, its files there, its sentences hold, and its output fit the
 * workflow's schema.
 *
 * @param element undefined for a trajectory that just ends.
 */
export async function finishStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement | undefined,
): Promise<StepResult> {
  const action = element?.action;
  if (action?.type === "fail") {
    const end = { status: "task_failed", errorCode: "task_failed", error: truncated(action.reason) } as const;
    return await ended(invocation, cursor, action, { end });
  }
  const seen = await awaitOutcome(invocation);
  if (seen === "away") return await leaveForLater(invocation, cursor);
  if (seen !== undefined) {
    return await ended(invocation, cursor, action, {
      end: failure("outcome_not_seen", `every step was done, but ${seen.words}`),
      missed: seen.trail,
    });
  }
  const isAsked =
    element?.by === "model" || invocation.plan.trajectory.checks.some(({ kind }) => kind === "sentence");
  if (!isAsked) return await ended(invocation, cursor, action, { end: await judgeOutput(invocation) });
  return await askedEnd(invocation, cursor, element);
}

/** An end that takes a model: on the last picture, and nothing that was said before. */
async function askedEnd(
  invocation: Invocation,
  before: Cursor,
  element: TrajectoryElement | undefined,
): Promise<StepResult> {
  const action = element?.action;
  if (invocation.screen === undefined && (await look(invocation)) === undefined)
    return await leaveForLater(invocation, before);
  await keepPicture(invocation, before);
  const judged = await judgeSentences(invocation, before);
  if (judged.kind === "result") return judged.result;
  const cursor = { ...before, model: judged.model };
  if (judged.problem !== undefined) {
    return await ended(invocation, cursor, action, { end: failure("outcome_not_seen", judged.problem) });
  }
  if (element?.by !== "model" || action?.type !== "finish") {
    return await ended(invocation, cursor, action, { end: await judgeOutput(invocation) });
  }
  const answer = await answerOutput(invocation, cursor, action.output ?? null);
  if (answer.kind === "result") return answer.result;
  const { model } = answer;
  const counted = { ...cursor, model: { ...model, agentic: model.agentic + 1 } };
  if (answer.kind === "none") {
    return await ended(invocation, counted, action, { end: failure("output_invalid", answer.error) });
  }
  const saved = { name: decidedOutput, value: answer.value };
  invocation.saved.set(saved.name, saved.value);
  return await ended(invocation, counted, action, { end: await judgeOutput(invocation), saved });
}

async function ended(
  invocation: Invocation,
  cursor: Cursor,
  action: Action | undefined,
  {
    end,
    saved,
    missed,
  }: { readonly end: RunEnding; readonly saved?: SavedValue; readonly missed?: Missing["trail"] },
): Promise<StepResult> {
  const isDone = end.status !== "error";
  const next = end.status === "success" ? roundAfter(invocation, cursor) : undefined;
  const kept = await keepPicture(invocation, cursor);
  const step = newStep(invocation, cursor, {
    // Its output is the run's, once: it may be large.
    action: { type: action?.type ?? "finish" },
    match: null,
    status: isDone ? "done" : "failed",
    ...(saved && { source: "model" }),
    trail: { ...invocation.trail, element: cursor.element },
    startedAt: isoTimestamp(invocation.deps.clock.now()),
  });
  invocation.trail = { ...step.trail, ...missed, ...(next && { next }) };
  const recorded = { ...step, trail: invocation.trail, ...kept, error: end.error, durationMs: 0 };
  const isOurs = await invocation.deps.executions.recordStep(recorded, saved);
  if (!isOurs) return { kind: "ended" };
  if (next !== undefined) return beginRound(cursor, next);
  return { kind: "end", end, cursor: { ...cursor, index: cursor.index + 1 } };
}

async function judgeOutput(invocation: Invocation): Promise<RunEnding> {
  const output = outputOf(invocation);
  if (output.kind === "missing") {
    return failure("input_missing", `the output names {${output.name}}, which nobody gave`);
  }
  const problem = await outputProblem(invocation, output.value);
  if (problem !== undefined) return failure("output_invalid", problem);
  return { status: "success", errorCode: null, error: null };
}

/** Why it does not fit the workflow's schema. */
export async function outputProblem(
  { deps, plan, job }: Invocation,
  value: Json,
): Promise<string | undefined> {
  const { outputSchema, id: workflowId } = plan.workflow;
  if (outputSchema === null) return undefined;
  const of = { organizationId: job.organizationId, workflowId };
  // Any JSON can be an output; inputs, for which the checker is made, are objects.
  const check = await deps.outputChecker.check(outputSchema, value as JsonObject, { of });
  switch (check.kind) {
    case "valid":
      return undefined;
    case "invalid": {
      const [first] = check.errors;
      const where = first === undefined ? "output_data" : ["output_data", ...first.path].join(".");
      return `${where} ${first?.message ?? "does not fit the workflow's output_schema"}`;
    }
    default:
      return `the workflow's output_schema: ${check.message}`;
  }
}

/** Under which a model's output is kept; no text can name it. */
export const decidedOutput = "model/output";

/** What a successful run puts out: in terms of its inputs and saved values, so that it is this run's. */
export function outputOf({ plan, saved }: Invocation): FilledOutput {
  const decided = saved.get(decidedOutput);
  if (decided !== undefined) return { kind: "filled", value: decided };
  const finish = plan.trajectory.elements.findLast(({ action }) => action.type === "finish")?.action;
  const template: Json = finish?.type === "finish" ? (finish.output ?? null) : null;
  return fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
}
