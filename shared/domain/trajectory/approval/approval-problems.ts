import { type Placeholder, placeholdersIn } from "../../../vocabulary/placeholders.ts";
import {
  type Action,
  actionKinds,
  isKeyboard,
  isPointing,
  type PointingAction,
  pointOf,
} from "../../action/action.ts";
import type { Json } from "../../json.ts";
import { thumbnailSize } from "../../picture/downscale.ts";
import { holds, type Point, type Size } from "../../picture/picture.ts";
import { type PictureCodec, UnreadablePicture } from "../../picture/picture-codec.ts";
import { PiecePictures } from "../../picture/piece-pictures.ts";
import { isTransferPath, transfersFolder } from "../../placeholder/transfer-path.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory-element.ts";
import type { ElementProblem, TrajectoryReader } from "../trajectory-reader.ts";
import {
  type ApprovalSubject,
  approvalWarnings,
  type JudgedWorkflow,
  type PlacedElement,
} from "./approval-warnings.ts";
import { optionalProblem, resetProblem } from "./reset-problem.ts";

export interface ApprovalDeps {
  readonly trajectoryReader: TrajectoryReader;
  readonly pictures: PictureCodec;
}

interface ApprovalProblem {
  /** The path within the trajectory, such as `["trajectory_data", 3, "anchor"]`. */
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

export interface ApprovalFindings {
  readonly problems: readonly ApprovalProblem[];
  readonly warnings: readonly string[];
}

/** A worker's own format may have no readable element, and a few problems suffice to repair it. */
const problemsMax = 10;

/** Each of many elements may need a model, and gets a warning. */
const warningsMax = 40;

/**
 * Finds only problems that can be known without a screen.
 *
 * @param findingsMax no more elements are read once there are so many problems.
 */
export function approvalProblems(
  deps: ApprovalDeps,
  subject: ApprovalSubject,
  workflow: JudgedWorkflow,
  findingsMax = problemsMax,
): ApprovalFindings {
  const reading = { ...deps, pictures: new PiecePictures(deps.pictures), findingsMax };
  const { elements, problems } = readAll(reading, subject.data, "trajectory_data", workflow);
  const reset = readAll(reading, subject.reset, "reset", workflow);
  problems.push(...reset.problems);
  for (const [at, piece] of subject.expect.entries()) {
    const found = pieceProblem(reading.pictures, piece);
    if (found === undefined) continue;
    problems.push({
      path: ["expect", at, ...found.path],
      reason: `part ${at + 1} of expect: ${found.reason}`,
    });
  }
  const whole = { elements, reset: reset.elements, subject, workflow };
  const warnings = approvalWarnings(whole, reading.pictures);
  return { problems: problems.slice(0, problemsMax), warnings: firstWarnings(warnings) };
}

function firstWarnings(warnings: readonly string[]): readonly string[] {
  const left = warnings.length - warningsMax;
  if (left <= 0) return warnings;
  const words = `and ${left} more ${left === 1 ? "warning" : "warnings"}, which the next approval shows once these are seen to`;
  return [...warnings.slice(0, warningsMax), words];
}

const wordsOf = { trajectory_data: "", reset: " of reset" } as const;

interface ReadingDeps extends Pick<ApprovalDeps, "trajectoryReader"> {
  readonly pictures: PiecePictures;
  readonly findingsMax: number;
}

function readAll(
  deps: ReadingDeps,
  values: readonly Json[],
  field: keyof typeof wordsOf,
  { allowShell }: JudgedWorkflow,
): { readonly elements: readonly PlacedElement[]; readonly problems: ApprovalProblem[] } {
  const problems: ApprovalProblem[] = [];
  const elements: PlacedElement[] = [];
  let hasAnchor = false;
  let endedBy: string | undefined;
  for (const [at, value] of values.entries()) {
    if (problems.length >= deps.findingsMax) break;
    const add = ({ path, reason }: ElementProblem) =>
      problems.push({
        path: [field, at, ...path],
        reason: `element ${at + 1}${wordsOf[field]} cannot be replayed: ${reason}`,
      });
    const read = deps.trajectoryReader.readElement(value);
    if (read.kind === "unreadable") {
      add(read);
      continue;
    }
    const { element } = read;
    const { action } = element;
    if (endedBy !== undefined) add({ path: [], reason: `it comes after ${endedBy}, which is the end` });
    const ofReset = field === "reset" ? resetProblem(element) : undefined;
    const found =
      ofReset ?? optionalProblem(element) ?? elementProblem(deps, element, { hasAnchor, allowShell });
    if (found !== undefined) add(found);
    elements.push({ at, element });
    hasAnchor ||= element.anchor !== undefined;
    if (actionKinds[action.type].doneBy === "end") endedBy = action.type;
  }
  return { elements, problems };
}

function elementProblem(
  deps: ReadingDeps,
  { action, anchor, guard, by }: TrajectoryElement,
  { hasAnchor, allowShell }: { readonly hasAnchor: boolean; readonly allowShell: boolean },
): ElementProblem | undefined {
  if (by === "replay") {
    const unseen = isPointing(action) ? pointProblem(action, { anchor, guard }) : undefined;
    if (unseen !== undefined) return unseen;
    if (isKeyboard(action) && guard === undefined && !hasAnchor) {
      return problem(["guard"], "what types needs a guard, an anchor before it, or by: model");
    }
    const constant = action.type === "finish" ? constantIn(action.output ?? null) : undefined;
    if (constant !== undefined) {
      return problem(
        constant.path,
        "this value is the recording's: name an input or a saved value as {name}, or let a model decide it with by: model",
      );
    }
  }
  const secret = secretOutside(action);
  if (secret !== undefined)
    return problem(secret.path, `${secret.value.whole} is filled in where something is typed only`);
  if (!allowShell) {
    if (action.type === "shell")
      return problem(["action", "type"], "shell needs allow_shell of the workflow");
    if ((action.type === "read_file" || action.type === "write_file") && !mayBeTransferPath(action.path)) {
      const reason = `a path that is not below ${transfersFolder} needs allow_shell of the workflow`;
      return problem(["action", "path"], reason);
    }
  }
  for (const [name, piece] of Object.entries({ anchor, guard })) {
    const found = piece && pieceProblem(deps.pictures, piece);
    if (found !== undefined) return problem([name, ...found.path], found.reason);
  }
  return undefined;
}

/** An anchor beside a click's point does not identify the point itself. */
function pointProblem(
  action: PointingAction,
  { anchor, guard }: Pick<TrajectoryElement, "anchor" | "guard">,
): ElementProblem | undefined {
  const point = pointOf(action);
  if (point === undefined) return undefined;
  if (anchor === undefined) {
    return problem(["anchor"], "what points needs the picture around its point, or by: model");
  }
  if ([anchor, guard].some((piece) => piece !== undefined && isIn(piece, point))) return undefined;
  return problem(["guard"], "an anchor beside the point needs a guard around the point, or by: model");
}

function isIn(piece: RecordedPiece, point: Point): boolean {
  return holds(piece, { ...point, width: 1, height: 1 });
}

function problem(path: ElementProblem["path"], words: string): ElementProblem {
  return { path, reason: `${path.join(".")}: ${words}` };
}

interface Found<Value> {
  readonly path: ElementProblem["path"];
  readonly value: Value;
}

function findIn<Value>(
  value: unknown,
  test: (leaf: unknown) => Value | undefined,
  path: ElementProblem["path"],
): Found<Value> | undefined {
  if (value === null || typeof value !== "object") {
    const found = test(value);
    return found === undefined ? undefined : { path, value: found };
  }
  for (const [name, each] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = findIn(each, test, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function constantIn(output: Json): Found<true> | undefined {
  const isConstant = (leaf: unknown) =>
    leaf !== null && (typeof leaf !== "string" || placeholdersIn(leaf).length === 0);
  return findIn(output, (leaf) => isConstant(leaf) || undefined, ["action", "output"]);
}

function secretOutside(action: Action): Found<Placeholder> | undefined {
  const fields = Object.entries(action).filter(([name]) => action.type !== "type" || name !== "text");
  const secretIn = (leaf: unknown) =>
    typeof leaf === "string" ? placeholdersIn(leaf).find(({ isSecret }) => isSecret) : undefined;
  return findIn(Object.fromEntries(fields), secretIn, ["action"]);
}

/** A path that begins with a value is known when it is filled in. */
function mayBeTransferPath(path: string): boolean {
  return path.startsWith("{") || isTransferPath(path);
}

function pieceProblem(
  pictures: PiecePictures,
  { png, thumbnail, width, height }: RecordedPiece,
): ElementProblem | undefined {
  const wrong = pictureProblem(pictures, png, { width, height });
  if (wrong !== undefined) return { path: ["png"], reason: `png ${wrong}` };
  const other = thumbnail === undefined ? undefined : pictureProblem(pictures, thumbnail, thumbnailSize);
  return other === undefined ? undefined : { path: ["thumbnail"], reason: `thumbnail ${other}` };
}

function pictureProblem(pictures: PiecePictures, base64: string, size: Size): string | undefined {
  try {
    pictures.read(base64, size);
    return undefined;
  } catch (error) {
    if (error instanceof UnreadablePicture) return error.message;
    throw error;
  }
}
