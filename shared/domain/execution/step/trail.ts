import type { RunStep, StepTrail } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";

export const noTrail: StepTrail = { element: null, movedBy: { dx: 0, dy: 0 }, masks: [], painted: [] };

export function freshTrail({ painted }: StepTrail): StepTrail {
  return { ...noTrail, painted };
}

/** Each replay, and each way back to the start, begins a new trail. */
export function trailAt(trail: StepTrail, { round = 1, reset, leave }: Cursor): StepTrail {
  const isFirstOfRound = trail.next?.kind === "round" && trail.next.round === round;
  const isAfterReset = trail.reset !== undefined && reset?.at === null;
  const isFirstOfLeave = trail.reset === undefined && leave !== undefined;
  return isFirstOfRound || isAfterReset || isFirstOfLeave ? freshTrail(trail) : trail;
}

export function elementOfStep(
  trail: StepTrail,
  { element, reset }: Pick<Cursor, "element" | "reset">,
): Pick<RunStep, "source" | "trail"> {
  const at = reset?.at;
  return typeof at === "number"
    ? { source: "reset", trail: { ...trail, element: null, reset: at } }
    : { source: "replay", trail: { ...trail, element } };
}
