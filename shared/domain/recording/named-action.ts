import { type Action, isFilledIn, isPointing, movedAction } from "../action/action.ts";
import type { JsonObject } from "../json.ts";
import { reversed } from "../picture/picture.ts";
import { constantsIn } from "../placeholder/fill-in.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { nameInputs, nameInputsInWords, nameWholeInput, standsIn } from "./name-inputs.ts";

export interface NamedAction {
  readonly action: Action;
  readonly isOfInput: boolean;
}

/** Returns undefined for a step that is not part of the work. */
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
  const recorded = named as unknown as Action;
  const placed = isPointing(recorded) ? movedAction(recorded, reversed(trail.movedBy)) : recorded;
  return { action: placed, isOfInput: named.target !== shown.target };
}

function nameIn(shown: JsonObject, field: string, value: string, inputs: JsonObject): string {
  if (field === "target") return shown.type === "key" ? value : nameInputsInWords(value, inputs);
  if (!isFilledIn(shown, field)) return value;
  return field === "program" ? nameWholeInput(value, inputs) : nameInputs(value, inputs);
}

/** The target is the model's last sentence that names an input's value, or otherwise its last sentence. */
function withTarget(action: JsonObject, said: string | null, inputs: JsonObject): JsonObject {
  if (action.target !== undefined || said === null || !isPointing(action as unknown as Action)) return action;
  const sentences = said.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  const ofInput = sentences.findLast((sentence) => nameInputsInWords(sentence, inputs) !== sentence);
  const target = (ofInput ?? sentences.at(-1))?.trim();
  return target === undefined ? action : { ...action, target: target.slice(0, targetCharactersMax) };
}

const targetCharactersMax = 150;

/** Returned and written text is not recorded, so it gets a name that no input has. */
function workerAction(shown: JsonObject, inputs: JsonObject): JsonObject {
  if ("save_as" in shown) return shown;
  const target = shown.target === undefined ? {} : { target: shown.target };
  const saved = (wanted: string, otherwise: string) => {
    const name = nameOf(wanted) || otherwise;
    return Object.hasOwn(inputs, name) ? `saved_${name}` : name;
  };
  switch (shown.type) {
    case "copy_to_clipboard":
      return { type: shown.type, save_as: saved(String(shown.text), "clipboard"), ...target };
    case "shell":
      return { type: shown.type, command: commandOf(shown), save_as: saved("", "shell_output"), ...target };
    case "write_file": {
      if ("content" in shown) return shown;
      const path = String(shown.path);
      const content = `{${nameOf(path.split(/[\\/]/).at(-1) ?? "") || "content"}}`;
      return { type: shown.type, path, content, ...target };
    }
    default:
      return shown;
  }
}

function nameOf(text: string): string {
  const letters = text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^[^\p{L}]+|_+$/gu, "");
  return letters.slice(0, nameCharactersMax);
}

const nameCharactersMax = 50;

function commandOf({ command, working_directory: folder }: JsonObject): string {
  if (folder === undefined) return String(command);
  return `cd '${String(folder).replaceAll("'", "'\\''")}' && ${String(command)}`;
}

/** The text was read from the screen if some part of it is in neither the task, the inputs nor the saved values. */
export function isReadOffScreen(
  { source }: Pick<RunStep, "source">,
  action: Action,
  plan: Pick<Plan, "model"> | undefined,
): boolean {
  const prompt = plan?.model?.prompt;
  if (source !== "model" || action.type !== "type" || prompt === undefined) return false;
  return constantsIn(action.text).some((part) => !standsIn(prompt, part));
}
