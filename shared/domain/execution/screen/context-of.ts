import type { StepTrail } from "../../run-step/run-step.ts";
import type { Invocation } from "../step/invocation.ts";
import { isAnchored } from "./match-element.ts";

/** @param elements is the list that has the element. */
export function contextOf(
  { deps, plan }: Invocation,
  trail: StepTrail,
  at: number,
  elements = plan.trajectory.elements,
) {
  return {
    codec: deps.pictures,
    trail,
    recordedSize: pictureSizeOf(plan.trajectory.dimensions),
    lastAnchored: elements.slice(0, at).findLast(isAnchored),
  };
}

function pictureSizeOf(dimensions: Invocation["plan"]["trajectory"]["dimensions"]) {
  if (dimensions === null) return undefined;
  const { width, height, scale } = dimensions;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
