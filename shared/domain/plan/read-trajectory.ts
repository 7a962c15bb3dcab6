import type { Json } from "../json.ts";
import type { Run } from "../run/run.ts";
import { type UnspillDeps, unspill } from "../spill.ts";
import { resetProblem } from "../trajectory/approval/reset-problem.ts";
import { changedUnnamedInputs, hasOtherInputs } from "../trajectory/recorded-inputs.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { ReplayableTrajectory, TrajectoryElement } from "../trajectory/trajectory-element.ts";
import type { TrajectoryReader } from "../trajectory/trajectory-reader.ts";
import { noPlan, type Refusal } from "./plan.ts";

export interface ReadTrajectoryDeps extends UnspillDeps {
  readonly trajectoryReader: TrajectoryReader;
}

export interface WholeTrajectory {
  readonly kind: "whole";
  readonly trajectory: ReplayableTrajectory;
  /** All elements, including those that a dry run leaves out. */
  readonly all: readonly TrajectoryElement[];
  readonly needs: Refusal | undefined;
}

export async function readTrajectory(
  deps: ReadTrajectoryDeps,
  { data, dimensions, screens: stored }: Trajectory,
  { trajectoryId, dryRunUntil }: Pick<Run, "trajectoryId" | "dryRunUntil">,
): Promise<WholeTrajectory | Refusal> {
  const values = await unspill(deps, data);
  const which = trajectoryId === null ? "the main trajectory" : "the trajectory";
  const read = readElements(deps, Array.isArray(values) ? (values as readonly Json[]) : [], `of ${which}`);
  if (read.kind === "refused") return read;
  const all = read.elements;
  const elements = all.slice(0, dryRunUntil ?? undefined);
  if (elements.length === 0 && dryRunUntil === null) {
    return noPlan("trajectory_invalid", `${which} has no elements`);
  }
  const { reset, ...screens } = deps.trajectoryReader.readScreens({
    dimensions,
    screens: await unspill(deps, stored),
  });
  const back = readElements(deps, reset, `of the reset of ${which}`);
  if (back.kind === "refused") return back;
  const unfit = back.elements.map(resetProblem).find((problem) => problem !== undefined);
  if (unfit !== undefined) return noPlan("trajectory_invalid", `the reset of ${which}: ${unfit.reason}`);
  const asked = elements.findIndex(({ by, action }) => by === "model" || action.type === "read");
  const isJudged = dryRunUntil === null && screens.checks.some(({ kind }) => kind === "sentence");
  const code = asked >= 0 || trajectoryId === null ? "trajectory_needs_model" : "check_needs_model";
  const error =
    asked >= 0
      ? `element ${asked + 1} of ${which} has to be decided by a model`
      : `a check of ${which} has to be judged by a model`;
  const needs = asked >= 0 || isJudged ? noPlan(code, error) : undefined;
  return { kind: "whole", trajectory: { elements, ...screens, reset: back.elements }, all, needs };
}

/** @param where follows "element 3" in an error. */
function readElements(
  { trajectoryReader }: Pick<ReadTrajectoryDeps, "trajectoryReader">,
  values: readonly Json[],
  where: string,
): Refusal | { readonly kind: "elements"; readonly elements: readonly TrajectoryElement[] } {
  const elements: TrajectoryElement[] = [];
  for (const [at, value] of values.entries()) {
    const read = trajectoryReader.readElement(value);
    if (read.kind === "unreadable") {
      return noPlan("trajectory_invalid", `element ${at + 1} ${where} cannot be replayed: ${read.reason}`);
    }
    elements.push(read.element);
  }
  return { kind: "elements", elements };
}

/** The sentence says why a replay would repeat the recording's work instead of the run's; it contains no values. */
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
