import * as z from "zod";
import { text } from "../../contract/fields/text.ts";
import { TrajectoryElement } from "../../contract/trajectory/trajectory-element.ts";
import { type Action, type ActionType, actionKinds } from "../../domain/action/action.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { ModelDecision } from "../../domain/model/language-models.ts";
import { questionMax } from "../../vocabulary/holds.ts";
import { strictSchema } from "./strict-schema.ts";

type ActionSchema = z.ZodObject;

/** Schemas are created when first needed. */
let schemas: ReadonlyMap<ActionType, ActionSchema> | undefined;

function schemaOf(type: ActionType): ActionSchema {
  schemas ??= new Map<ActionType, ActionSchema>([
    ...TrajectoryElement.unwrap().shape.action.options.map(
      (option) => [option.shape.type.value, option] as const,
    ),
    ["ask_person", createAskPerson()],
  ]);
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error(`the contract has no action ${type}`);
  return schema;
}

/** A trajectory asks nobody, so that its elements do not have it. */
function createAskPerson() {
  return z.strictObject({
    type: z.literal("ask_person"),
    question: text(1, questionMax).describe(
      `The question, or what the person is to do, in at most ${questionMax} characters.`,
    ),
  });
}

export interface ActionTool {
  readonly name: ActionType;
  readonly description: string;
  readonly schema: JsonObject;
}

/** Tools are created once, because each call declares them. */
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
  const { needsTarget, words } = actionKinds[name];
  const fields = needsTarget
    ? { required: ["target"], without: ["type"] }
    : { required: [], without: ["type", "target"] };
  return { name, description: words, schema: strictSchema(schemaOf(name), optional, fields) };
}

/** Fields that are not scalars arrive as JSON text (`strictSchema`). */
const jsonTexts: ReadonlySet<string> = new Set(["schema", "output"]);
const targetLengthMax = 255;

/** A null argument counts as absent. */
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
