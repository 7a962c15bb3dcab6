import type { Run } from "../../run/run.ts";
import { changedUnnamedInputs, hasOtherInputs } from "../../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../../trajectory/trajectory.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";

/** Returns why a replay would do the recording's work in place of the run's. The sentence has no values. */
export function reasonNotToReplay(
  elements: readonly TrajectoryElement[],
  { originalInputValues: original }: Pick<Trajectory, "originalInputValues">,
  { inputValues }: Pick<Run, "inputValues">,
): string | undefined {
  const [changed] = changedUnnamedInputs({ original, elements }, inputValues);
  if (changed !== undefined) {
    return `the input {${changed}} has not the recording's value, and no element names it: what was recorded may depend on it, so it is not replayed`;
  }
  const at = elements.findIndex(({ isFromScreen }) => isFromScreen === true);
  return at >= 0 && hasOtherInputs({ original, elements }, inputValues)
    ? `element ${at + 1} types what stood on the recorded screen, and the inputs are not the recording's: it is not replayed; save that text by read or copy_to_clipboard, and type it as {name}`
    : undefined;
}
