import type { Run } from "../../run/run.ts";
import type { ReplayableTrajectory } from "../../trajectory/trajectory-element.ts";
import { needsScreen } from "../screen/recorded-screens.ts";
import { missingNames } from "./missing-names.ts";

/**
 * Returns the reset for after a model's run; nothing where it names what the run was not given, which does not affect
 * the run's end.
 */
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
