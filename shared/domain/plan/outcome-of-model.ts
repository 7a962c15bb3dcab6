import { fillIn } from "../placeholder/fill-in.ts";
import type { Run } from "../run/run.ts";
import { changedUnnamedInputs } from "../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import {
  needsScreen,
  type ReplayableTrajectory,
  type TrajectoryCheck,
} from "../trajectory/trajectory-element.ts";
import { fillSources, missingNames } from "./missing-names.ts";

export const noTrajectory: ReplayableTrajectory = { elements: [], expect: [], checks: [], dimensions: null };

/** Returns the checks of a model's run that hold with the run's values. A run with its own prompt has another task. */
export function outcomeOfModel(
  { elements, expect, checks, dimensions }: ReplayableTrajectory,
  { originalInputValues: original }: Pick<Trajectory, "originalInputValues">,
  run: Run,
  builtIn: readonly string[],
): ReplayableTrajectory {
  if (run.overrides.mainPrompt !== null) return noTrajectory;
  const sources = fillSources(run, builtIn);
  const isFilled = (check: TrajectoryCheck) =>
    check.kind === "file"
      ? fillIn(check.path, { ...sources, aliases: new Set() }).kind === "filled"
      : fillIn(check.text, sources).kind === "filled";
  // The last recorded screen may show the value of an input that no element names.
  const [changed] = changedUnnamedInputs({ original, elements }, run.inputValues);
  return {
    elements: [],
    expect: changed === undefined ? expect : [],
    checks: checks.filter(isFilled),
    dimensions,
  };
}

/** Returns nothing if the reset names a missing value, which does not affect the run's end. */
export function wayBack(
  { elements, reset = [], dimensions }: ReplayableTrajectory,
  run: Run,
  builtIn: readonly string[],
): Pick<ReplayableTrajectory, "start" | "reset" | "dimensions"> | undefined {
  const start = elements.find(({ optional }) => optional !== true);
  if (start === undefined || !needsScreen(start)) return undefined;
  const missing = missingNames({ elements: [], checks: [], reset }, run, builtIn);
  return missing === undefined ? { start, reset, dimensions } : undefined;
}
