import { type ActionKind, actionKinds, type ReadAction, wordsFor } from "../../action/action.ts";
import { success } from "../../run/run-ending.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { StillScreen } from "../../screen/still-screen.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { actElement, sendElement } from "../replay/act-element.ts";
import { finishStep } from "../replay/finish-step.ts";
import { followElement } from "../replay/follow-element.ts";
import { quietStep } from "../replay/quiet-step.ts";
import { readElement } from "../replay/read-element.ts";
import { afterReset, reachStart, resumeReset } from "../start/reach-start.ts";
import type { Invocation } from "../step/invocation.ts";
import { ends, type StepResult } from "../step/step-result.ts";

type Perform = (
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  still?: StillScreen,
) => Promise<StepResult>;

const performers: Readonly<Record<ActionKind["doneBy"], Perform>> = {
  input: actElement,
  system: actElement,
  service: async (invocation, cursor, element) =>
    await quietStep(invocation, cursor, element.action, (row) => followElement(cursor, element, row)),
  model: async (invocation, cursor, { action }) =>
    await readElement(invocation, cursor, action as ReadAction),
  person: async () => {
    throw new Error("a trajectory has an element that no reader accepts");
  },
  end: finishStep,
};

export async function takeElement(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const { plan } = invocation;
  const element = plan.trajectory.elements[cursor.element];
  if (element === undefined) {
    return plan.isDryRun ? ends(cursor, success) : await finishStep(invocation, cursor, undefined);
  }
  const under = await invocation.countTry(cursor, wordsFor(element.action));
  switch (under.kind) {
    case "over":
      return ends(cursor, under.end);
    case "recorded":
      return under.step.source === "reset"
        ? await resumeReset(invocation, cursor, under.step)
        : await recoverElement(invocation, afterReset(cursor), element, under.step);
    case "fresh": {
      const start = await reachStart(invocation, cursor);
      if (start.kind === "result") return start.result;
      const perform = performers[actionKinds[element.action.type].doneBy];
      return await perform(invocation, start.cursor, element, start.still);
    }
  }
}

async function recoverElement(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  step: RunStep,
): Promise<StepResult> {
  const follow = (row: RunStep) => followElement(cursor, element, row);
  if (step.status === "sending") {
    const { trail, match } = step;
    return await sendElement(invocation, cursor, { element, trail, match, follow, underWay: step });
  }
  invocation.goOnFrom(step);
  // An end sends nothing, so it is judged again.
  const isEnd = actionKinds[element.action.type].doneBy === "end" && step.trail.next?.kind !== "round";
  return isEnd ? await finishStep(invocation, cursor, element) : follow(step);
}
