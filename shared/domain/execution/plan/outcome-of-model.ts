import type { Json } from "../../json.ts";
import { fillIn } from "../../placeholder/fill-in.ts";
import type { Run } from "../../run/run.ts";
import { changedUnnamedInputs } from "../../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../../trajectory/trajectory.ts";
import type { ReplayableTrajectory, TrajectoryCheck } from "../../trajectory/trajectory-element.ts";
import { aliasesOf } from "./missing-names.ts";

export const noTrajectory: ReplayableTrajectory = { elements: [], expect: [], checks: [], dimensions: null };

/**
 * Returns the parts of the main trajectory that judge a model's run and hold with the run's values. A run with its own
 * prompt has another task.
 */
export function outcomeOfModel(
  { elements, expect, checks, dimensions }: ReplayableTrajectory,
  { originalInputValues: original }: Pick<Trajectory, "originalInputValues">,
  run: Run,
  builtIn: readonly string[],
): ReplayableTrajectory {
  if (run.overrides.mainPrompt !== null) return noTrajectory;
  const saved = new Map<string, Json>(builtIn.map((name) => [name, ""]));
  const isFilled = (check: TrajectoryCheck) => {
    const text = check.kind === "file" ? check.path : check.text;
    const aliases = new Set(check.kind === "file" ? [] : aliasesOf(run));
    return fillIn(text, { inputs: run.inputValues, saved, aliases }).kind === "filled";
  };
  // The last recorded screen may show the value of an input that no element names.
  const [changed] = changedUnnamedInputs({ original, elements }, run.inputValues);
  return {
    elements: [],
    expect: changed === undefined ? expect : [],
    checks: checks.filter(isFilled),
    dimensions,
  };
}
