import { InvalidInput, valueError } from "../invalid-input.ts";
import { jsonBytes } from "../json.ts";
import type { Workflow } from "./workflow.ts";

/** 100,000 characters of three bytes each: with the other fields they fit one item and one recorded response. */
const contentBytesMax = 300_000;

type Content = Pick<Workflow, "mainPrompt" | "inputSchema" | "outputSchema">;

export function requireContentFits(content: Content): void {
  const bytes = jsonBytes(content.mainPrompt) - 2 + schemaBytes(content);
  if (bytes <= contentBytesMax) return;
  const error = `main_prompt, input_schema and output_schema together take at most ${contentBytesMax} bytes of JSON, not ${bytes}`;
  throw new InvalidInput([valueError(["body", "main_prompt"], error)]);
}

function schemaBytes({ inputSchema, outputSchema }: Content): number {
  return [inputSchema, outputSchema].reduce((sum, schema) => sum + (schema ? jsonBytes(schema) : 0), 0);
}
