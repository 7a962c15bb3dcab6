import { placeholdersIn } from "../../../vocabulary/placeholders.ts";
import { isKeyboard, isPointing, pointOf } from "../../action/action.ts";
import type { Json, JsonObject } from "../../json.ts";
import { isLinesOnly } from "../../picture/ink.ts";
import { UnreadablePicture } from "../../picture/picture-codec.ts";
import type { PiecePictures } from "../../picture/piece-pictures.ts";
import { constantsIn } from "../../placeholder/fill-in.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { namesIn, unnamedInputs } from "../recorded-inputs.ts";
import type {
  RecordedPiece,
  TrajectoryCheck,
  TrajectoryElement,
  TrajectoryScreens,
} from "../trajectory-element.ts";

export interface ApprovalSubject extends TrajectoryScreens {
  readonly data: readonly Json[];
  readonly originalInputValues: JsonObject | null;
}

export type JudgedWorkflow = Pick<Workflow, "allowShell" | "inputSchema">;

/** The index counts from 0 in `trajectory_data`. */
export interface PlacedElement {
  readonly at: number;
  readonly element: TrajectoryElement;
}

interface WarnedTrajectory {
  readonly elements: readonly PlacedElement[];
  readonly reset: readonly PlacedElement[];
  readonly subject: ApprovalSubject;
  readonly workflow: JudgedWorkflow;
}

/** The first ones are shown when there are too many. */
const warners: readonly ((trajectory: WarnedTrajectory) => readonly string[])[] = [
  warnOfStart,
  warnOfUncheckedEnd,
  warnOfUnnamedInputs,
  warnOfMissingTargets,
  warnOfTypedConstants,
  warnOfUnknownNames,
  warnOfModels,
];

export function approvalWarnings(trajectory: WarnedTrajectory, pictures: PiecePictures): readonly string[] {
  const warnings = new Set(warners.flatMap((warner) => warner(trajectory)));
  return [...warnings, ...warnOfLines(pictures, trajectory.elements)];
}

function warnOfStart({ subject }: WarnedTrajectory): readonly string[] {
  const { endsElsewhere, reset, resetLacks = 0 } = subject;
  const steps = resetLacks === 1 ? "a step" : `${resetLacks} steps`;
  return [
    ...(endsElsewhere === true && reset.length === 0
      ? [
          "it ends elsewhere than it begins: the next run will not find its start; add elements that lead back to the first screen, or give it a `reset`",
        ]
      : []),
    ...(resetLacks === 0
      ? []
      : [
          `its reset lacks ${steps} with which a model reached the first screen: a reset is short, and has none that a model decides or that saves a value; add elements that lead there`,
        ]),
  ];
}

function warnOfUncheckedEnd({ elements, subject }: WarnedTrajectory): readonly string[] {
  if (subject.expect.length + subject.checks.length > 0) return [];
  // A trajectory that ends with `fail` is not a success.
  if (elements.at(-1)?.element.action.type === "fail") return [];
  const proposed = proposedCheck(elements);
  const example = proposed === undefined ? "" : `, for example ${JSON.stringify(proposed)} in checks`;
  return [
    `this trajectory checks nothing of its end: a run that went wrong would be a success if only each element was done; add a sentence or a file to checks, or a piece of the last screen to expect${example}`,
  ];
}

const namesMax = 3;

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

function warnOfUnnamedInputs({ elements, subject }: WarnedTrajectory): readonly string[] {
  const recorded = {
    original: subject.originalInputValues,
    elements: elements.map(({ element }) => element),
  };
  return unnamedInputs(recorded).map(
    (name) =>
      `no element names the input {${name}} of the recording: something that was recorded may depend on its value, so runs with another one are not replayed (input_not_recorded) and verify nothing; name it in the target of what depends on it, with by: model`,
  );
}

function warnOfMissingTargets({ elements, subject }: WarnedTrajectory): readonly string[] {
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

function warnOfTypedConstants({ elements }: WarnedTrajectory): readonly string[] {
  return typedConstants(elements).map(({ at, element, text }) =>
    element.isFromScreen === true
      ? `element ${at + 1} types ${quoted(text)}, which stood on the recorded screen and is neither an input nor a saved value: in each run a model is asked what is typed, with replay \`only\` it is typed as it is, and runs with other inputs are not replayed; save it by read or copy_to_clipboard before, and type it as {name}`
      : `element ${at + 1} types ${quoted(text)} in each run: it is neither an input nor a saved value`,
  );
}

/** The recorded screen may show another text with other inputs. */
export function typedFromScreen(elements: readonly PlacedElement[]): readonly TypedConstant[] {
  return typedConstants(elements).filter(({ element }) => element.isFromScreen === true);
}

interface TypedConstant extends PlacedElement {
  readonly text: string;
}

function typedConstants(elements: readonly PlacedElement[]): readonly TypedConstant[] {
  return elements.flatMap(({ at, element }) => {
    const { action } = element;
    if (action.type !== "type") return [];
    const constants = constantsIn(action.text);
    return constants.length === 0 ? [] : [{ at, element, text: constants.join(" … ") }];
  });
}

function warnOfUnknownNames({ elements, reset, subject, workflow }: WarnedTrajectory): readonly string[] {
  const properties = workflow.inputSchema?.properties;
  const known = new Set(
    [subject.originalInputValues, properties].flatMap((named) =>
      named !== null && typeof named === "object" ? Object.keys(named) : [],
    ),
  );
  const unknownIn = ({ action }: TrajectoryElement) =>
    namesIn(action).filter((name) => !known.has(name) && !known.has(name.split(".")[0] ?? name));
  const nowhere = "which is neither in original_input_values, nor in the workflow's input_schema";
  const warnings = reset.flatMap(({ at, element }) =>
    unknownIn(element).map((name) => `element ${at + 1} of reset names {${name}}, ${nowhere}`),
  );
  for (const { at, element } of elements) {
    for (const name of unknownIn(element)) {
      warnings.push(`element ${at + 1} names {${name}}, ${nowhere}, nor saved by an element before it`);
    }
    const { action } = element;
    if ("save_as" in action && typeof action.save_as === "string") known.add(action.save_as);
  }
  return warnings;
}

const cost =
  "that is at least one call of a model in each run; with replay `only`, and in a verification, the run ends before it begins";

function warnOfModels({ elements, subject }: WarnedTrajectory): readonly string[] {
  const ofElements = elements.flatMap(({ at, element }) => {
    const why = reasonOf(element);
    return why === undefined ? [] : [`element ${at + 1} (${which(element)}) asks a model: ${why}; ${cost}`];
  });
  const ofChecks = subject.checks.flatMap((check, at) =>
    check.kind === "sentence"
      ? [`check ${at + 1} (${quoted(check.text)}) asks a model: a sentence is judged by one; ${cost}`]
      : [],
  );
  return [...ofElements, ...ofChecks];
}

function reasonOf({ action, by, anchor, guard }: TrajectoryElement): string | undefined {
  if (action.type === "read") return "it reads a value off the screen";
  if (by !== "model") return undefined;
  const inputs = placeholdersIn(action.target ?? "").map(({ whole }) => whole);
  if (inputs.length > 0) {
    return `its target names ${inputs.join(", ")}, so that it acts on something else with other values`;
  }
  if (action.type === "finish") return "its output has values that are neither inputs nor saved ones";
  if (isPointing(action) && pointOf(action) !== undefined && anchor === undefined) {
    return "there is no picture of its place; nothing near its point was unique, or the recording kept none";
  }
  if (isKeyboard(action) && guard === undefined) return "there is no picture of where it types";
  return "it says by: model";
}

/** Clicks that straight lines alone identify look the same in another row of a table. */
export function warnOfLines(pictures: PiecePictures, elements: readonly PlacedElement[]): readonly string[] {
  return elements.flatMap(({ at, element }) => {
    const { action, anchor, by } = element;
    if (by !== "replay" || !isPointing(action) || anchor === undefined) return [];
    if (!showsLinesOnly(pictures, anchor)) return [];
    return [
      `element ${at + 1} (${which(element)}) is found by straight lines alone, which another row of the same list may have, too: record it on its text, or leave it to a model with by: model`,
    ];
  });
}

function showsLinesOnly(pictures: PiecePictures, { png, width, height }: RecordedPiece): boolean {
  try {
    return isLinesOnly(pictures.read(png, { width, height }));
  } catch (error) {
    if (error instanceof UnreadablePicture) return false;
    throw error;
  }
}

function which({ action: { type, target } }: TrajectoryElement): string {
  return target === undefined ? type : `${type}, ${quoted(target)}`;
}

const shownMax = 80;

export function quoted(text: string): string {
  return JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);
}
