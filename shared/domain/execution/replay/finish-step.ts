import type { SavedValue } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor, RunEnding } from "../execution.ts";
import { answerOutput, judgeSentences } from "../model/judge-outcome.ts";
import { awaitOutcome, type Missing } from "../screen/await-outcome.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { decidedOutput, endWithOutput, outputOf } from "../step/output.ts";
import { recordStep } from "../step/perform-once.ts";
import { beginRound, roundAfter } from "../step/rounds.ts";
import { away, ends, failure, type StepResult, taskFailed } from "../step/step-result.ts";

interface Ending {
  readonly kind: "ending";
  readonly end: RunEnding;
  readonly cursor: Cursor;
  readonly saved?: SavedValue;
  readonly missed?: Missing["trail"];
}

/**
 * The last screen must be the recorded one, its files there, its sentences true, and the output fit the schema.
 *
 * @param element is undefined where the trajectory just ends.
 */
export async function finishStep(
  invocation: Invocation,
  before: Cursor,
  element: TrajectoryElement | undefined,
): Promise<StepResult> {
  const judged = await judgeEnd(invocation, before, element);
  if (judged.kind !== "ending") return judged;
  const { end, cursor, saved, missed } = judged;
  const round = end.status === "success" ? roundAfter(invocation, cursor) : undefined;
  const step = newStep(invocation, cursor, {
    // The output is stored once, with the run, since it may be large.
    action: { type: element?.action.type ?? "finish" },
    status: end.status === "error" ? "failed" : "done",
    ...(saved && { source: "model" }),
    trail: { ...invocation.trail, element: cursor.element },
    ...(await invocation.keepPicture(cursor)),
    error: end.error,
    durationMs: 0,
  });
  const row = { ...step, trail: { ...step.trail, ...missed, ...(round && { next: round }) } };
  const follow = () =>
    round === undefined ? ends({ ...cursor, index: cursor.index + 1 }, end) : beginRound(cursor, round);
  return await recordStep(invocation, row, follow, saved);
}

async function judgeEnd(
  invocation: Invocation,
  before: Cursor,
  element: TrajectoryElement | undefined,
): Promise<Ending | StepResult> {
  const action = element?.action;
  if (action?.type === "fail") return ending(before, taskFailed(action.reason));
  const missing = await awaitOutcome(invocation);
  if (missing === "away") return away;
  if (missing !== undefined) {
    const end = failure("outcome_not_seen", `every step was done, but ${missing.words}`);
    return { ...ending(before, end), missed: missing.trail };
  }
  const isDecided = element?.by === "model" && action?.type === "finish";
  const isJudged = invocation.plan.trajectory.checks.some(({ kind }) => kind === "sentence");
  if (!isDecided && !isJudged) return ending(before, await endWithOutput(invocation, outputOf(invocation)));
  // A model judges the last picture alone.
  if ((await invocation.lastScreen()) === undefined) return away;
  await invocation.keepPicture(before);
  const judged = await judgeSentences(invocation, before);
  if (judged.kind === "result") return judged.result;
  const cursor = { ...before, model: judged.model };
  if (judged.problem !== undefined) return ending(cursor, failure("outcome_not_seen", judged.problem));
  if (!isDecided) return ending(cursor, await endWithOutput(invocation, outputOf(invocation)));
  const answer = await answerOutput(invocation, cursor, action.output ?? null);
  if (answer.kind === "result") return answer.result;
  const { model } = answer;
  const counted = { ...cursor, model: { ...model, agentic: model.agentic + 1 } };
  if (answer.kind === "none") return ending(counted, failure("output_invalid", answer.error));
  const { value } = answer;
  const end = await endWithOutput(invocation, { kind: "filled", value });
  return { ...ending(counted, end), saved: { name: decidedOutput, value } };
}

function ending(cursor: Cursor, end: RunEnding): Ending {
  return { kind: "ending", end, cursor };
}
