import { conversationOf, type ModelCursor } from "../../conversation/conversation-cursor.ts";
import { decidedOutput, outputProblem } from "../../filling/output.ts";
import type { Json } from "../../json.ts";
import { fillInOutput } from "../../placeholder/fill-in.ts";
import { failure, success, taskFailed } from "../../run/run-ending.ts";
import type { RunStep, SavedValue } from "../../run-step/run-step.ts";
import { redactJson } from "../../secrets/redact.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { recordStep } from "../step/perform-once.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { afterUnseen, type Decision, notOfScreen } from "./judge-decision.ts";
import { type JudgedEnd, judgeEnd } from "./judge-outcome.ts";
import { goToNext } from "./model-cursor.ts";

const misfitsToldMax = 2;

export async function endTask(
  invocation: Invocation,
  cursor: Cursor,
  { step, model, action }: Decision,
): Promise<StepResult> {
  const isFinish = action.type === "finish";
  const output = isFinish ? await filledOutput(invocation, action.output ?? null) : null;
  const misfit = isFinish ? await outputProblem(invocation, output) : undefined;
  const checked: JudgedEnd | StepResult =
    isFinish && misfit === undefined
      ? await checkOutcome(invocation, { ...cursor, model })
      : { kind: "judged", model };
  if (checked.kind !== "judged") return checked;
  const end = { model: { ...model, ...checked.model, place: model.place }, action };
  const unshown =
    action.type === "fail" && isReadOff(invocation, cursor, end.model) ? action.reason : undefined;
  const problem = misfit ?? checked.problem ?? unshown;
  const recorded: RunStep = {
    ...step,
    // The output is stored once, with the run, since it may be large.
    action: isFinish ? { type: "finish" } : step.action,
    durationMs: 0,
    status: problem === undefined ? "done" : "failed",
    error: problem ?? null,
    trail: {
      ...step.trail,
      ...checked.missed,
      decided: notOfScreen(end.model),
      ...(checked.problem !== undefined && { next: notSeen }),
    },
  };
  const isOutput = isFinish && problem === undefined && output !== null;
  const saved: SavedValue | undefined = isOutput ? { name: decidedOutput, value: output } : undefined;
  return await recordStep(invocation, recorded, (row) => endAfter(invocation, cursor, end, row), saved);
}

/** The text of the recorded screen may belong to another screen than this one. */
function isReadOff({ plan }: Pick<Invocation, "plan">, { element }: Cursor, { mode }: ModelCursor): boolean {
  return mode === "element" && plan.trajectory.elements[element]?.isFromScreen === true;
}

const notSeen = { kind: "end", errorCode: "outcome_not_seen" } as const;

async function checkOutcome(invocation: Invocation, cursor: Cursor): Promise<JudgedEnd | StepResult> {
  const { screen } = invocation;
  return await judgeEnd(invocation, cursor, "the task is not done: ", async () => {
    // The sentences are judged on the awaited screen.
    if (invocation.screen !== screen) await invocation.keepPicture(cursor);
    return true;
  });
}

async function filledOutput(invocation: Invocation, template: Json): Promise<Json> {
  const { plan, saved } = invocation;
  const filled = fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
  const value = filled.kind === "filled" ? filled.value : template;
  return redactJson(value, await invocation.secrets());
}

export function endAfter(
  invocation: Pick<Invocation, "plan">,
  before: Cursor,
  { model, action }: Pick<Decision, "model" | "action">,
  { status, error, trail }: Pick<RunStep, "status" | "error" | "trail">,
): StepResult {
  const decided: ModelCursor = { ...model, place: null, idle: 0, agentic: model.agentic + 1 };
  const cursor = { ...before, index: before.index + 1, model: decided };
  if (action.type === "fail") {
    return isReadOff(invocation, before, model)
      ? goToNext(before, { ...conversationOf(decided), mode: "task" })
      : ends(cursor, taskFailed(action.reason));
  }
  if (status === "done") {
    return ends(cursor, success);
  }
  if (trail.next?.kind === "end") {
    return afterUnseen(before, decided, failure(trail.next.errorCode, error ?? "the work is not to be seen"));
  }
  const misfits = model.misfits + 1;
  if (misfits <= misfitsToldMax) return goToNext(before, { ...decided, misfits });
  return ends(cursor, failure("output_invalid", error ?? "the output does not fit"));
}
