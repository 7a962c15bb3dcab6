import type * as z from "zod";
import { TrajectoryElement } from "../../contract/trajectory/trajectory-element.ts";
import type { Action, ActionType } from "../../domain/action/action.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { ModelDecision } from "../../domain/model/language-models.ts";
import { strictSchema } from "./strict-schema.ts";

const descriptions: Readonly<Record<ActionType, string>> = {
  click: "Clicks at a point of the last picture, in its pixels; without x and y where the pointer is.",
  move: "Moves the pointer to a point of the last picture.",
  drag: "Presses a mouse button at the start point, moves to the end point and releases it.",
  scroll: "Turns the mouse wheel at a point of the last picture.",
  type: "Types text on the keyboard. Names in braces such as {$password} are replaced by their values as they are typed.",
  key: "Presses keys by name: joined with + they are pressed together, separated by blanks one after the other, such as `ctrl+a Delete`.",
  open: "Opens a program of this desktop by its name, or brings its window to the front: surer than its icon. With `restart` it is closed before, and what was not saved in it is lost.",
  wait: "Waits, then shows the screen again.",
  screenshot: "Shows the screen as it is now.",
  copy_to_clipboard: "Copies what is selected and saves the clipboard's text under a name.",
  read_file: "Reads a file and saves its text under a name.",
  write_file: "Writes a text file.",
  shell: "Runs a command on the desktop and saves its output under a name.",
  read: "Answers a question from the last picture and saves the answer under a name; `schema` is the JSON Schema that it fits.",
  finish: "Ends the task as done; `output` is its result.",
  fail: "Ends the task as one that cannot be done.",
};

type ActionSchema = z.ZodObject;

/** By type. Made when they are first needed. */
let schemas: ReadonlyMap<ActionType, ActionSchema> | undefined;

function schemaOf(type: ActionType): ActionSchema {
  schemas ??= new Map(
    TrajectoryElement.unwrap().shape.action.options.map((option) => [option.shape.type.value, option]),
  );
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error(`the contract has no action ${type}`);
  return schema;
}

export interface ActionTool {
  readonly name: ActionType;
  readonly description: string;
  readonly schema: JsonObject;
}

/** Those that act on something on the screen: what it is has to be said, since a recording goes by it. */
const targeted: ReadonlySet<ActionType> = new Set([
  "click",
  "move",
  "drag",
  "scroll",
  "type",
  "key",
  "copy_to_clipboard",
]);

/** Made once, but for what depends on the desktop: each call declares them. */
const made = { absent: new Map<ActionType, ActionTool>(), null: new Map<ActionType, ActionTool>() };

export function actionTools(
  types: readonly ActionType[],
  optional: "absent" | "null",
  programs: readonly string[] = [],
): readonly ActionTool[] {
  return types.map((name) => {
    const tool = made[optional].get(name) ?? makeTool(name, optional);
    made[optional].set(name, tool);
    if (name !== "open") return tool;
    return { ...tool, description: `${tool.description} Its programs: ${programs.join(", ") || "none"}.` };
  });
}

function makeTool(name: ActionType, optional: "absent" | "null"): ActionTool {
  const fields = targeted.has(name)
    ? { required: ["target"], without: ["type"] }
    : { required: [], without: ["type", "target"] };
  return { name, description: descriptions[name], schema: strictSchema(schemaOf(name), optional, fields) };
}

/** Fields that are no scalars come as JSON text (`strictSchema`). */
const jsonTexts: ReadonlySet<string> = new Set(["schema", "output"]);
const targetLengthMax = 255;

/** @param args what the model gave; null is as good as absent. */
export function decideAction(type: string, args: JsonObject, allowed: readonly ActionType[]): ModelDecision {
  const known = allowed.find((name) => name === type);
  if (known === undefined)
    return { kind: "invalid", error: `there is no tool ${JSON.stringify(type.slice(0, 64))}` };
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === null || (name === "target" && value === "")) continue;
    if (jsonTexts.has(name) && typeof value === "string") {
      const parsed = parseJson(value);
      if (parsed === undefined) return { kind: "invalid", error: `${name}: not JSON text` };
      fields[name] = parsed;
    } else {
      fields[name] = name === "target" && typeof value === "string" ? value.slice(0, targetLengthMax) : value;
    }
  }
  const checked = schemaOf(known).safeParse({ ...fields, type });
  if (!checked.success) return { kind: "invalid", error: wordsOf(checked.error) };
  // The contract's actions and the domain's are one vocabulary.
  return { kind: "actions", actions: [checked.data as Action] };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function wordsOf(error: z.ZodError): string {
  const words = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  return words.join("; ").slice(0, 500);
}
