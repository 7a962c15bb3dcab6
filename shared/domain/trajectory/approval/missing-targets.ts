import { isPointing, pointOf } from "../../action/action.ts";
import type { WarnedTrajectory } from "./approval-subject.ts";

export function warnOfMissingTargets({ elements, subject }: WarnedTrajectory): readonly string[] {
  if (Object.keys(subject.originalInputValues ?? {}).length === 0) return [];
  const bare = elements.filter(
    ({ element: { action, by } }) =>
      by === "replay" && isPointing(action) && action.target === undefined && pointOf(action) !== undefined,
  );
  if (bare.length === 0) return [];
  const places = bare.map(({ at }) => at + 1).join(", ");
  return [
    `${bare.length === 1 ? `element ${places} acts` : `elements ${places} act`} at a recorded place, without a target: it is replayed the same with other inputs, also if what lies there is this recording's; say in target what is acted on, in terms of {name} and with by: model where an input decides it`,
  ];
}
