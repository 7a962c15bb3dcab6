import { type Action, isFilledIn, isPointing, movedAction } from "../action/action.ts";
import type { JsonObject } from "../json.ts";
import { reversed } from "../picture/picture.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { nameInputs, nameInputsInWords, nameWholeInput } from "./name-inputs.ts";
import { workerAction } from "./worker-action.ts";

export interface NamedAction {
  readonly action: Action;
  /** Other inputs make it another target. */
  readonly isOfInput: boolean;
}

/** Undefined for a step that is no work. */
export function namedAction(
  { action, trail, text }: Pick<RunStep, "action" | "trail" | "text">,
  inputs: JsonObject,
): NamedAction | undefined {
  if (action.type === "screenshot" || action.type === "list_files") return undefined;
  const shown = withTarget(action, text, inputs);
  const named = Object.fromEntries(
    Object.entries(workerAction(shown, inputs)).map(([name, value]) => [
      name,
      typeof value === "string" ? nameIn(shown, name, value, inputs) : value,
    ]),
  );
  // Steps are recorded in the vocabulary of actions.
  const recorded = named as unknown as Action;
  const placed = isPointing(recorded) ? movedAction(recorded, reversed(trail.movedBy)) : recorded;
  return { action: placed, isOfInput: named.target !== shown.target };
}

function nameIn(shown: JsonObject, field: string, value: string, inputs: JsonObject): string {
  if (field === "target") return shown.type === "key" ? value : nameInputsInWords(value, inputs);
  if (!isFilledIn(shown, field)) return value;
  return field === "program" ? nameWholeInput(value, inputs) : nameInputs(value, inputs);
}

/** The target is the model's last sentence that names an input's value, or else its last sentence. */
function withTarget(action: JsonObject, said: string | null, inputs: JsonObject): JsonObject {
  if (action.target !== undefined || said === null || !isPointing(action as unknown as Action)) return action;
  const sentences = said.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  const ofInput = sentences.findLast((sentence) => nameInputsInWords(sentence, inputs) !== sentence);
  const target = (ofInput ?? sentences.at(-1))?.trim();
  return target === undefined ? action : { ...action, target: target.slice(0, targetCharactersMax) };
}

/** Names are longer than some values. */
const targetCharactersMax = 150;
