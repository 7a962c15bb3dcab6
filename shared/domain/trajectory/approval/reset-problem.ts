import { actionKinds } from "../../action/action.ts";
import type { TrajectoryElement } from "../trajectory-element.ts";
import type { ElementProblem } from "../trajectory-reader.ts";

/** A reset must not do any of the work. */
export function resetProblem({ action, by }: TrajectoryElement): ElementProblem | undefined {
  if (by === "model") return { path: ["by"], reason: "by: a reset is done without a model" };
  const { doneBy, saves } = actionKinds[action.type];
  return (doneBy === "input" || doneBy === "service") && !saves
    ? undefined
    : { path: ["action", "type"], reason: `action.type: ${action.type} does more than act on the screen` };
}

export function optionalProblem(element: TrajectoryElement): ElementProblem | undefined {
  if (element.optional !== true || mayBeLeftOut(element)) return undefined;
  const reason = "optional: only a click, a move, a drag, a scroll or a key may be left out, by: replay";
  return { path: ["optional"], reason };
}

/** The element waits for its screen and gives no value that others need. */
export function mayBeLeftOut({ action, by }: Pick<TrajectoryElement, "action" | "by">): boolean {
  const { knownBy, filledIn } = actionKinds[action.type];
  return by === "replay" && knownBy !== null && filledIn.length === 0;
}

export function fitsReset(element: TrajectoryElement): boolean {
  return resetProblem(element) === undefined;
}
