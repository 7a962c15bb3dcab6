import type { ApprovalWarner, WarnedTrajectory } from "./approval-subject.ts";
import { warnOfModels } from "./asks-model.ts";
import { endsElsewhere } from "./ends-elsewhere.ts";
import { warnOfMissingTargets } from "./missing-targets.ts";
import { warnOfResetLacks } from "./reset-lacks.ts";
import { warnOfTypedConstants } from "./typed-constants.ts";
import { warnOfUncheckedEnd } from "./unchecked-end.ts";
import { unknownNames } from "./unknown-names.ts";
import { warnOfUnnamedInputs } from "./unnamed-inputs.ts";

/** The first ones are shown where there are too many. */
const warners: readonly ApprovalWarner[] = [
  endsElsewhere,
  warnOfResetLacks,
  warnOfUncheckedEnd,
  warnOfUnnamedInputs,
  warnOfMissingTargets,
  warnOfTypedConstants,
  unknownNames,
  warnOfModels,
];

export function approvalWarnings(trajectory: WarnedTrajectory): readonly string[] {
  return [...new Set(warners.flatMap((warner) => warner(trajectory)))];
}
