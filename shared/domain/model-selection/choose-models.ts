import type { ModelChoice } from "../model/model-choice.ts";
import { choiceDefaults } from "../model-configuration/model-configuration.ts";
import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import { findModelConfigurations } from "../model-configuration/read-model-configurations.ts";
import { boundsOf, promptOf } from "../run/override-run.ts";
import type { Run } from "../run/run.ts";
import type { SpillDeps } from "../spill.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface ChosenModels {
  readonly main: ModelChoice;
  /** There are at most two, used in turn. */
  readonly fallbacks: readonly ModelChoice[];
  /** The prompt names inputs as `{name}` and secrets as `{$alias}`. */
  readonly prompt: string;
  /** The limit of input and output tokens of all calls; null means no limit. */
  readonly maxTokens: number | null;
}

/** @returns undefined for a run without a model. */
export type ChooseModels = (
  run: Run,
  workflow: Workflow,
) => Promise<ChosenModels | "model_configuration_missing" | undefined>;

export function createChooseModels(
  deps: SpillDeps & { readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany"> },
): ChooseModels {
  return async (run, workflow) => {
    const chosen = await chooseModels(deps, run, workflow);
    if (chosen.kind === "none") return undefined;
    if (chosen.kind === "configuration_missing") return "model_configuration_missing";
    const { main, fallbacks } = chosen;
    const { maxTokens } = boundsOf(run, workflow);
    return { main, fallbacks, prompt: await promptOf(deps, run, workflow), maxTokens };
  };
}

export type ModelsOfRun =
  | { readonly kind: "chosen"; readonly main: ModelChoice; readonly fallbacks: readonly ModelChoice[] }
  | { readonly kind: "none" }
  /** The configuration was removed, or withdrawn by the service. */
  | { readonly kind: "configuration_missing"; readonly id: string };

type OfRun = Pick<Run, "organizationId" | "overrides">;
type OfWorkflow = Pick<Workflow, "modelMetadata" | "modelConfigurationId" | "fallbackModelConfigurationIds">;

/** The fallbacks are without the chosen model; missing ones are left out. */
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
  const fallbacks = overrides.fallbackModelConfigurationIds ?? workflow.fallbackModelConfigurationIds;
  const fallbackIds = fallbacks.filter((id) => id !== mainId);
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
