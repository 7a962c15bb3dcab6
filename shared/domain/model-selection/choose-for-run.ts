import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import { boundsOf, promptOf } from "../run/override-run.ts";
import type { SpillDeps } from "../spill.ts";
import { chooseModels } from "./choose-models.ts";
import type { ChooseModels } from "./chosen-models.ts";

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
