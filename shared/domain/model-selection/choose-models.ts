import type { ModelChoice } from "../model/model-choice.ts";
import { choiceDefaults } from "../model-configuration/model-configuration.ts";
import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import { findModelConfigurations } from "../model-configuration/read-model-configurations.ts";
import type { Run } from "../run/run.ts";
import type { Workflow } from "../workflow/workflow.ts";

export type ModelsOfRun =
  | { readonly kind: "chosen"; readonly main: ModelChoice; readonly fallbacks: readonly ModelChoice[] }
  | { readonly kind: "none" }
  /** It names a configuration that was removed, or withdrawn by the service, since. */
  | { readonly kind: "configuration_missing"; readonly id: string };

type OfRun = Pick<Run, "organizationId" | "overrides">;
type OfWorkflow = Pick<Workflow, "modelMetadata" | "modelConfigurationId" | "fallbackModelConfigurationIds">;

/** The fallbacks are always the workflow's, but for the chosen model; one that is gone is left out. */
export async function chooseModels(
  deps: { readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany"> },
  run: OfRun,
  workflow: OfWorkflow,
): Promise<ModelsOfRun> {
  const { mainId, metadata, fallbackIds } = namedModels(run, workflow);
  const ids = [...(mainId === null ? [] : [mainId]), ...fallbackIds];
  const found = await findModelConfigurations(deps, run.organizationId, ids);
  const named = found.find(({ id }) => id === mainId);
  if (mainId !== null && named === undefined) return { kind: "configuration_missing", id: mainId };
  const main = named ?? (metadata && { ...metadata, ...choiceDefaults });
  if (main === null) return { kind: "none" };
  const fallbacks = found.filter((each) => each !== named);
  return { kind: "chosen", main: modelChoiceOf(main), fallbacks: fallbacks.map(modelChoiceOf) };
}

function namedModels({ overrides }: OfRun, workflow: OfWorkflow) {
  const isOwn = overrides.modelMetadata !== null || overrides.modelConfigurationId !== null;
  const { modelMetadata: metadata, modelConfigurationId: mainId } = isOwn ? overrides : workflow;
  const fallbackIds = workflow.fallbackModelConfigurationIds.filter((id) => id !== mainId);
  return { mainId, metadata, fallbackIds };
}

function modelChoiceOf({
  provider,
  model,
  temperature,
  maxOutputTokens,
  timeoutSeconds,
  additionalParams,
}: ModelChoice): ModelChoice {
  return { provider, model, temperature, maxOutputTokens, timeoutSeconds, additionalParams };
}
