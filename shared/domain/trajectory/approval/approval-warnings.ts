import type { ApprovalWarner, WarnedTrajectory } from "./approval-subject.ts";
import { endsElsewhere } from "./ends-elsewhere.ts";
import { warnOfTypedConstants } from "./typed-constants.ts";
import { unknownNames } from "./unknown-names.ts";
import { warnOfUnnamedInputs } from "./unnamed-inputs.ts";

/** The first ones are shown where there are too many. */
const warners: readonly ApprovalWarner[] = [
  warnOfUnnamedInputs,
  warnOfTypedConstants,
  unknownNames,
  endsElsewhere,
];

/** Returns what may be wrong with a trajectory that can be replayed, each once. */
export function approvalWarnings(trajectory: WarnedTrajectory): readonly string[] {
  return [...new Set(warners.flatMap((warner) => warner(trajectory)))];
}
