import type { Run } from "../../run/run.ts";
import type { ReplayableTrajectory } from "../../trajectory/trajectory-element.ts";
import { needsScreen } from "../screen/recorded-screens.ts";
import { missingNames } from "./missing-names.ts";

/**
 * The part of the main trajectory that leads the desktop back after a run in which a model decides everything. Nothing where its
 * reset names what the run was not given: that changes nothing of how the run ends.
 *
 * @param builtIn names that the service gives itself.
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
