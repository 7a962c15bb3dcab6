import { stepsBeforeActions } from "../../plan/run-files.ts";
import { type Failure, failure, type RunEnding } from "../../run/run-ending.ts";
import type { Cursor, Phase } from "../execution.ts";
import { putNextFile } from "../files/put-files.ts";
import { removeNextFile } from "../files/remove-files.ts";
import { takeNextFile } from "../files/take-files.ts";
import { actOnReply } from "../model/act-decision.ts";
import { askModel } from "../model/ask-model.ts";
import { backToReplay } from "../model/repair.ts";
import { beginModel, seeScreen } from "../model/see-screen.ts";
import { takeResume } from "../resume/take-resume.ts";
import { leaveStep } from "../start/leave-desktop.ts";
import type { Invocation } from "../step/invocation.ts";
import { roundsOf } from "../step/rounds.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { leftMs, timeOver } from "../step/time-left.ts";
import { takeElement } from "./take-element.ts";

interface Turn {
  readonly kind: "turns";
  readonly cursor: Cursor;
}

type TakePhase = (invocation: Invocation, cursor: Cursor) => Promise<StepResult | Turn>;

const phases: Readonly<Record<Phase, TakePhase>> = {
  put_files: withinLimits(
    async (invocation, cursor) =>
      (await putNextFile(invocation, cursor)) ?? { kind: "turns", cursor: { ...cursor, phase: "replay" } },
  ),
  replay: withinLimits(async (invocation, cursor) => {
    const begun = beginModel(invocation, cursor);
    return begun === undefined ? await takeElement(invocation, cursor) : { kind: "turns", cursor: begun };
  }),
  see_screen: withinLimits(inRepair(seeScreen)),
  ask_model: withinLimits(inRepair(askModel)),
  act_on_reply: withinLimits(inRepair(actOnReply)),
  resume: takeResume,
  take_files: async (invocation, cursor) => await takeNextFile(invocation, cursor, endOf(cursor)),
  remove_files: async (invocation, cursor) => await removeNextFile(invocation, cursor, endOf(cursor)),
  leave_desktop: async (invocation, cursor) => await leaveStep(invocation, cursor, endOf(cursor)),
};

export async function takePhase(invocation: Invocation, from: Cursor): Promise<StepResult> {
  for (let cursor = from; ; ) {
    const result = await phases[cursor.phase](invocation, cursor);
    if (result.kind === "away" || result.kind === "pauses") return { cursor, ...result };
    if (result.kind !== "turns") return result;
    cursor = result.cursor;
  }
}

function endOf({ leave, files }: Cursor): RunEnding {
  const end = leave?.end ?? files.end;
  if (end === null) throw new Error("what follows a run's last action does not say how the run ends");
  return end;
}

function inRepair(take: (invocation: Invocation, cursor: Cursor) => Promise<StepResult>): TakePhase {
  return async (invocation, cursor) => await backToReplay(invocation, cursor, await take(invocation, cursor));
}

/** The run's work is bounded; the steps after its last action are not. */
function withinLimits(take: TakePhase): TakePhase {
  return async (invocation, cursor) => {
    const limit = runLimit(invocation, cursor);
    return limit === undefined ? await take(invocation, cursor) : ends(cursor, limit);
  };
}

function runLimit(invocation: Invocation, cursor: Cursor): Failure | undefined {
  const { plan } = invocation;
  const rounds = roundsOf(plan);
  const steps = plan.workflow.maxSteps * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  const uncounted =
    stepsBeforeActions(plan.files) +
    (cursor.model?.lookCount ?? 0) +
    (cursor.unowned ?? 0) +
    (cursor.reset?.taken ?? 0);
  if (cursor.index - plan.stepsBefore - uncounted > steps) {
    return failure("limit_reached", `the run took its ${steps} steps, ${those} max_steps`);
  }
  return leftMs(invocation) > 0 ? undefined : timeOver(invocation);
}
