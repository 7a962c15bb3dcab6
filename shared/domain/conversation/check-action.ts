import { exportsName, placeholdersIn } from "../../vocabulary/placeholders.ts";
import {
  type Action,
  type ActionType,
  actionKinds,
  actionTypes,
  isPointing,
  type PointingAction,
  withPoints,
} from "../action/action.ts";
import { type FilledAction, fillAction } from "../filling/fill-action.ts";
import type { Json } from "../json.ts";
import { modelWords } from "../model/model-words.ts";
import type { Size } from "../picture/picture.ts";
import { fillIn, fillInOutput, secretOf } from "../placeholder/fill-in.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunEnding } from "../run/run-ending.ts";
import type { Exchange } from "./conversation.ts";
import type { ConversationPlace } from "./conversation-cursor.ts";
import type { ConversingRun } from "./conversing-run.ts";

export type CheckedAction =
  | { readonly kind: "action"; readonly action: Action; readonly filled: FilledAction }
  | { readonly kind: "told"; readonly words: string }
  | { readonly kind: "end"; readonly end: RunEnding };

export function allowedTypes(
  { plan }: ConversingRun,
  { element, model: { mode } }: ConversationPlace,
): readonly ActionType[] {
  const decided = mode === "element" ? plan.trajectory.elements[element] : undefined;
  if (decided !== undefined) return [...new Set<ActionType>([decided.action.type, "wait", "fail"])];
  const isOffered = {
    always: true,
    with_programs: programsOf(plan).length > 0,
    with_shell: plan.workflow.allowShell,
    with_person: plan.workflow.mayAsk === true,
  };
  return actionTypes.filter((type) => isOffered[actionKinds[type].offered]);
}

export function programsOf({ model }: Pick<Plan, "model">): readonly string[] {
  return model?.programs ?? [];
}

export async function checkAction(
  run: ConversingRun,
  { sent, screen }: Pick<Exchange, "sent" | "screen">,
  decided: Action,
  { types, piece }: { readonly types: readonly ActionType[]; readonly piece: number },
): Promise<CheckedAction> {
  if (!types.includes(decided.type)) {
    return { kind: "told", words: modelWords.notAllowed(decided.type) };
  }
  const read = readAction(run, decided);
  if (read.kind === "unreadable") return { kind: "told", words: modelWords.unreadable(read.reason) };
  const { action } = read.element;
  const words = wrongName(run, action) ?? (isPointing(action) ? wrongPoint(action, sent) : undefined);
  if (words !== undefined) return { kind: "told", words };
  const across = (x: number) => Math.floor(((x + 0.5) * screen.width) / sent.width);
  const down = (y: number) => Math.floor(((y + 0.5) * screen.height) / sent.height);
  const placed = isPointing(action) ? withPoints(action, across, down) : action;
  const filled = await fillAction(run, placed, { piece, movedBy: { dx: 0, dy: 0 } });
  if (filled.kind === "end") {
    const { errorCode, error } = filled.end;
    if (errorCode === "secrets_gone") return filled;
    return { kind: "told", words: modelWords.unreadable(error ?? "it cannot be done") };
  }
  return { kind: "action", action: placed, filled };
}

/** A question is none of a trajectory's elements, and was checked as it was decided. */
function readAction({ deps }: ConversingRun, action: Action) {
  if (action.type === "ask_person") return { kind: "element", element: { action } } as const;
  return deps.trajectoryReader.readElement({ action: action as unknown as Json, by: "model" });
}

function wrongName({ plan, saved }: ConversingRun, action: Action): string | undefined {
  if (action.type === "ask_person") return undefined;
  const aliases = new Set(plan.aliases);
  const sources = { inputs: plan.inputValues, saved, aliases };
  const { target: _target, ...fields } = action as Action & { readonly [field: string]: Json | undefined };
  const texts = Object.values(fields).flatMap((value) => (value === undefined ? [] : textsIn(value)));
  const secrets = texts.flatMap(placeholdersIn).filter(({ isSecret }) => isSecret);
  const [first] = secrets;
  if (first !== undefined && action.type !== "type") return modelWords.secretElsewhere(`$${first.name}`);
  const unknown = secrets.find(({ name }) => secretOf(name, aliases) === undefined);
  if (unknown !== undefined) return modelWords.unknownSecret(`$${unknown.name}`);
  const filled =
    action.type === "finish"
      ? fillInOutput(action.output ?? null, sources)
      : texts.map((text) => fillIn(text, sources)).find(({ kind }) => kind === "missing");
  // Questions and reasons for giving up are the model's own words.
  const isNamed = action.type !== "read" && action.type !== "fail";
  if (isNamed && filled?.kind === "missing") return modelWords.unknownName(filled.name);
  if (!("save_as" in action) || typeof action.save_as !== "string") return undefined;
  const isTaken = action.save_as === exportsName || Object.hasOwn(plan.inputValues, action.save_as);
  return isTaken ? modelWords.nameTaken(action.save_as) : undefined;
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((each) => textsIn(each as Json));
}

function pointsOf(action: PointingAction): readonly (readonly [x: number, y: number])[] {
  if (action.type === "drag") {
    return [
      [action.start_x, action.start_y],
      [action.to_x, action.to_y],
    ];
  }
  return action.x === undefined || action.y === undefined ? [] : [[action.x, action.y]];
}

function wrongPoint(action: PointingAction, { width, height }: Size): string | undefined {
  const isInside = ([x, y]: readonly [number, number]) => x >= 0 && y >= 0 && x < width && y < height;
  return pointsOf(action).every(isInside) ? undefined : modelWords.outside(width, height);
}
