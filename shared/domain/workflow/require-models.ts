import { InvalidInput, valueError } from "../invalid-input.ts";
import { configurationNotFound } from "../model-configuration/model-configuration-deps.ts";
import { isSystemId, systemConfigurations } from "../model-configuration/system-configurations.ts";
import type { Workflow } from "./workflow.ts";

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
      throw configurationNotFound(id);
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
