import { InvalidInput, type InvalidItem, valueError } from "../invalid-input.ts";
import type { InputChecker } from "./input-checker.ts";
import type { Workflow } from "./workflow.ts";

export interface SchemaDeps {
  readonly inputChecker: Pick<InputChecker, "checkSchema">;
}

/** Rejects schemas that no value could be checked with, before a run fails because of them. @throws {InvalidInput} */
export async function requireSchemas(
  { inputChecker }: SchemaDeps,
  { inputSchema, outputSchema }: Partial<Pick<Workflow, "inputSchema" | "outputSchema">>,
): Promise<void> {
  const items: InvalidItem[] = [];
  for (const [field, schema] of Object.entries({ input_schema: inputSchema, output_schema: outputSchema })) {
    const check = schema ? await inputChecker.checkSchema(schema) : undefined;
    if (check === undefined || check.kind === "valid") continue;
    const error = check.message;
    items.push(valueError(["body", field], error));
  }
  if (items.length > 0) throw new InvalidInput(items);
}
