import { decidedOutput, endWithOutput, outputOf } from "../../filling/output.ts";
import { failure, type RunEnding, taskFailed } from "../../run/run-ending.ts";
import type { SavedValue } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { answerOutput, judgeEnd } from "../model/judge-outcome.ts";
import type { Missing } from "../screen/await-outcome.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { beginRound, roundAfter } from "../step/rounds.ts";
import { ends, type StepResult } from "../step/step-result.ts";

interface Ending {
  readonly kind: "ending";
  readonly end: RunEnding;
  readonly cursor: Cursor;
  readonly saved?: SavedValue;
  readonly missed?: Missing["trail"];
}

/** @param element is undefined where the trajectory just ends. */
export async function finishStep(
  invocation: Invocation,
  before: Cursor,
  element: TrajectoryElement | undefined,
): Promise<StepResult> {
  const judged = await endOf(invocation, before, element);
  if (judged.kind !== "ending") return judged;
  const { end, cursor, saved, missed } = judged;
  const round = end.status === "success" ? roundAfter(invocation, cursor) : undefined;
  const step = newStep(invocation, cursor, {
    action: { type: element?.action.type ?? "finish" },
    status: end.status === "error" ? "failed" : "done",
    ...(saved && { source: "model" }),
    trail: {
      ...invocation.trail,
      element: cursor.element,
      ...missed,
      ...(round && { next: round }),
    },
    ...(await invocation.keepPicture(cursor)),
    error: end.error,
    durationMs: 0,
  });
  const follow = () =>
    round === undefined ? ends({ ...cursor, index: cursor.index + 1 }, end) : beginRound(cursor, round);
  return await recordStep(invocation, step, follow, saved);
}

async function endOf(
  invocation: Invocation,
  before: Cursor,
  element: TrajectoryElement | undefined,
): Promise<Ending | StepResult> {
  const action = element?.action;
  if (action?.type === "fail") return ending(before, taskFailed(action.reason));
  const isDecided = element?.by === "model" && action?.type === "finish";
  const isShown = isDecided || invocation.plan.trajectory.checks.some(({ kind }) => kind === "sentence");
  // A model judges the last picture alone.
  const judged = await judgeEnd(invocation, before, "every step was done, but ", async () => {
    if (!isShown) return true;
    if ((await invocation.lastScreen()) === undefined) return false;
    await invocation.keepPicture(before);
    return true;
  });
  if (judged.kind !== "judged") return judged;
  const { problem, missed, model } = judged;
  const cursor = { ...before, model };
  if (problem !== undefined) {
    return { ...ending(cursor, failure("outcome_not_seen", problem)), ...(missed && { missed }) };
  }
  if (!isDecided) return ending(cursor, await endWithOutput(invocation, outputOf(invocation)));
  const answer = await answerOutput(invocation, cursor, action.output ?? null);
  if (answer.kind !== "answered") return answer;
  const counted = { ...cursor, model: { ...answer.model, agentic: answer.model.agentic + 1 } };
  const { value, error } = answer;
  if (value === undefined) return ending(counted, failure("output_invalid", error));
  const end = await endWithOutput(invocation, { kind: "filled", value });
  return { ...ending(counted, end), saved: { name: decidedOutput, value } };
}

function ending(cursor: Cursor, end: RunEnding): Ending {
  return { kind: "ending", end, cursor };
}
