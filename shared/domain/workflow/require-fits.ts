import { notFound } from "../entity/not-found.ts";
import { InvalidInput, type InvalidItem, valueError } from "../invalid-input.ts";
import { jsonBytes } from "../json.ts";
import { isSystemId, systemConfigurations } from "../model-configuration/system-configurations.ts";
import type { InputChecker } from "./input-checker.ts";
import type { Workflow } from "./workflow.ts";

/** 100,000 characters of three bytes each fit one item and one recorded response, with the other fields. */
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

type Models = Pick<Workflow, "modelMetadata" | "modelConfigurationId" | "fallbackModelConfigurationIds">;

/** Leaves missing own configurations to the write. @throws {InvalidInput} @throws {DomainError} `not_found` */
export function requireModelsFit(models: Models): void {
  const { modelMetadata, modelConfigurationId, fallbackModelConfigurationIds: fallbacks } = models;
  if (modelConfigurationId !== null && modelMetadata !== null) {
    throw refused(
      "model_configuration_id",
      "model_configuration_id and model_metadata exclude each other; null clears the other one",
    );
  }
  if (fallbacks.length > 0 && modelConfigurationId === null) {
    throw refused("fallback_model_configuration_ids", "fallbacks need a model_configuration_id before them");
  }
  if (modelConfigurationId !== null && fallbacks.includes(modelConfigurationId)) {
    throw refused("fallback_model_configuration_ids", "model_configuration_id is no fallback of itself");
  }
  for (const id of configurationIds(models)) {
    if (isSystemId(id) && !systemConfigurations.some((each) => each.id === id))
      throw notFound("model configuration", id);
  }
}

/** The main one comes first. */
function configurationIds({
  modelConfigurationId,
  fallbackModelConfigurationIds,
}: Pick<Models, "modelConfigurationId" | "fallbackModelConfigurationIds">): readonly string[] {
  return [...(modelConfigurationId === null ? [] : [modelConfigurationId]), ...fallbackModelConfigurationIds];
}

export function ownConfigurationIds(workflow: Omit<Models, "modelMetadata">): readonly string[] {
  return configurationIds(workflow).filter((id) => !isSystemId(id));
}

function refused(field: string, error: string): InvalidInput {
  return new InvalidInput([valueError(["body", field], error)]);
}

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
