import type { JSONSchema7 } from "@ai-sdk/provider";
import { jsonSchema, type Tool, type ToolSet, tool } from "ai";
import * as z from "zod";
import type { ActionType } from "../../domain/action/action.ts";
import { isObject, type Json } from "../../domain/json.ts";
import type { ModelDecision, ModelTools } from "../../domain/model/language-models.ts";
import type { ProviderModel } from "../provider-model.ts";
import { actionTools, decideAction } from "./action-tools.ts";
import { computerActions, decideComputer } from "./computer-tool.ts";

const computerName = "computer";
export const answerName = "answer";

export interface ToolBox {
  readonly tools: ToolSet;
  decide(toolName: string, args: Json | undefined): ModelDecision;
}

/** Opens the provider's own computer tool, if the workflow allows all of it, and the service's tools for the rest. */
export function openToolBox(
  { types, programs = [] }: Omit<Extract<ModelTools, { kind: "actions" }>, "kind">,
  asked: Pick<ProviderModel, "computer" | "optional">,
): ToolBox {
  const covers: ReadonlySet<ActionType> = new Set(computerActions);
  const hasOwn = asked.computer !== undefined && computerActions.every((type) => types.includes(type));
  const own: readonly (readonly [string, Tool])[] =
    hasOwn && asked.computer ? [[computerName, asked.computer]] : [];
  const named = hasOwn ? types.filter((type) => !covers.has(type)) : types;
  const ours = actionTools(named, asked.optional, programs).map(({ name, description, schema }) => {
    // This schema checks nothing; the service's own schema checks the arguments.
    return [name, tool({ description, inputSchema: jsonSchema(schema), strict: true })] as const;
  });
  return {
    tools: Object.fromEntries([...own, ...ours]),
    decide(toolName, args) {
      if (!isObject(args)) return { kind: "invalid", error: "the arguments are no JSON object" };
      if (hasOwn && toolName === computerName) return decideComputer(args);
      return decideAction(toolName, args, named);
    },
  };
}

const Answer = z.object({ value: z.json() });

/** The tool is not `strict` and its choice not forced: the schema is a customer's, and newer models refuse that. */
export function answerTools({ schema }: Extract<ModelTools, { kind: "answer" }>): ToolSet {
  // References start from the root, so their targets are included.
  const { $defs, definitions, $schema: _dialect, $id: _id, ...value } = schema;
  const wrapped = {
    type: "object",
    properties: { value },
    required: ["value"],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
  const description = "Gives the answer. Call it once, with a value that fits the schema.";
  return {
    [answerName]: tool({ description, inputSchema: jsonSchema(wrapped as JSONSchema7), strict: false }),
  };
}

/** Reads an answer from the call, or from text that is nothing but JSON. */
export function readAnswer(args: Json | undefined, text: string): Json | undefined {
  const called = Answer.safeParse(args);
  if (called.success) return called.data.value;
  try {
    return JSON.parse(text.replace(/^\s*```(json)?|```\s*$/g, "")) as Json;
  } catch {
    return undefined;
  }
}
