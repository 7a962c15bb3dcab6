import { isKeyboard, isPointing, pointOf } from "../../action/action.ts";
import { placeholdersIn } from "../../placeholder/fill-in.ts";
import type { TrajectoryElement } from "../trajectory-element.ts";
import type { WarnedTrajectory } from "./approval-subject.ts";
import { quoted } from "./typed-constants.ts";

const cost =
  "that is at least one call of a model in each run; with replay `only`, and in a verification, the run ends before it begins";

export function warnOfModels({ elements, subject }: WarnedTrajectory): readonly string[] {
  const ofElements = elements.flatMap(({ at, element }) => {
    const why = reasonOf(element);
    const { type, target } = element.action;
    const which = target === undefined ? type : `${type}, ${quoted(target)}`;
    return why === undefined ? [] : [`element ${at + 1} (${which}) asks a model: ${why}; ${cost}`];
  });
  const ofChecks = subject.checks.flatMap((check, at) =>
    check.kind === "sentence"
      ? [`check ${at + 1} (${quoted(check.text)}) asks a model: a sentence is judged by one; ${cost}`]
      : [],
  );
  return [...ofElements, ...ofChecks];
}

function reasonOf({ action, by, anchor, guard }: TrajectoryElement): string | undefined {
  if (action.type === "read") return "it reads a value off the screen";
  if (by !== "model") return undefined;
  const inputs = placeholdersIn(action.target ?? "").map(({ whole }) => whole);
  if (inputs.length > 0) {
    return `its target names ${inputs.join(", ")}, so that it acts on something else with other values`;
  }
  if (action.type === "finish") return "its output has values that are neither inputs nor saved ones";
  if (isPointing(action) && pointOf(action) !== undefined && anchor === undefined) {
    return "there is no picture of its place; nothing near its point was unique, or the recording kept none";
  }
  if (isKeyboard(action) && guard === undefined) return "there is no picture of where it types";
  return "it says by: model";
}
