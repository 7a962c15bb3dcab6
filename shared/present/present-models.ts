import type { Workflow as WireWorkflow } from "../contract/workflow.ts";
import type { Workflow } from "../domain/workflow/workflow.ts";

type Fields =
  | "model_metadata"
  | "model_configuration_id"
  | "main_agent_model_id"
  | `fallback_model_${1 | 2}_id`;

interface Models extends Pick<Workflow, "modelMetadata" | "modelConfigurationId"> {
  readonly fallbackModelConfigurationIds: readonly string[] | null;
}

/** Each configuration has two names. */
export function presentModels(models: Models): Pick<WireWorkflow, Fields> {
  const { modelMetadata, modelConfigurationId, fallbackModelConfigurationIds } = models;
  const [first = null, second = null] = fallbackModelConfigurationIds ?? [];
  return {
    model_metadata: modelMetadata && { provider: modelMetadata.provider, model: modelMetadata.model },
    model_configuration_id: modelConfigurationId,
    main_agent_model_id: modelConfigurationId,
    fallback_model_1_id: first,
    fallback_model_2_id: second,
  };
}
