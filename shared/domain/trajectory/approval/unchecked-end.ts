import { placeholdersIn } from "../../placeholder/fill-in.ts";
import type { TrajectoryCheck } from "../trajectory-element.ts";
import type { PlacedElement, WarnedTrajectory } from "./approval-subject.ts";

export function warnOfUncheckedEnd({ elements, subject }: WarnedTrajectory): readonly string[] {
  if (subject.expect.length + subject.checks.length > 0) return [];
  // A trajectory that ends with `fail` is no success.
  if (elements.at(-1)?.element.action.type === "fail") return [];
  const proposed = proposedCheck(elements);
  const example = proposed === undefined ? "" : `, for example ${JSON.stringify(proposed)} in checks`;
  return [
    `this trajectory checks nothing of its end: a run that went wrong would be a success if only each element was done; add a sentence or a file to checks, or a piece of the last screen to expect${example}`,
  ];
}

const namesMax = 3;

/** The check is a file that is written, or a sentence about the last click. */
function proposedCheck(elements: readonly PlacedElement[]): TrajectoryCheck | undefined {
  const actions = elements.map(({ element }) => element.action);
  const written = actions.findLast(({ type }) => type === "write_file");
  if (written?.type === "write_file") return { kind: "file", path: written.path };
  const target = actions.findLast((action) => action.type === "click" && action.target !== undefined)?.target;
  if (target === undefined) return undefined;
  const typed = actions.flatMap((action) => (action.type === "type" ? placeholdersIn(action.text) : []));
  const inputs = typed.filter(({ isSecret }) => !isSecret).map(({ whole }) => whole);
  const names = [...new Set(inputs)].slice(0, namesMax);
  const what = names.length === 0 ? "" : ` with ${names.join(", ")}`;
  return { kind: "sentence", text: `the screen says that ${target} did its work${what}` };
}
