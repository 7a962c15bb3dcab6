import type { ModelUsage } from "./language-models.ts";
import type { ModelChoice } from "./model-choice.ts";

export interface ModelTokens extends ModelUsage, Pick<ModelChoice, "provider" | "model"> {}

/** The tokens of this many models of one run are kept apart: its own, its fallbacks, and some to spare. */
export const modelsOfRunMax = 10;

/** Beyond the bound a call counts as the last model's, so that no token is lost. */
export function addTokens(
  all: readonly ModelTokens[],
  { provider, model }: Pick<ModelChoice, "provider" | "model">,
  used: ModelUsage,
): readonly ModelTokens[] {
  const same = all.findIndex((each) => each.provider === provider && each.model === model);
  const at = same === -1 && all.length >= modelsOfRunMax ? all.length - 1 : same;
  const before = all[at];
  if (before === undefined) {
    const { inputTokens, outputTokens, cachedTokens } = used;
    return [...all, { provider, model, inputTokens, outputTokens, cachedTokens }];
  }
  return all.with(at, {
    ...before,
    inputTokens: before.inputTokens + used.inputTokens,
    outputTokens: before.outputTokens + used.outputTokens,
    cachedTokens: before.cachedTokens + used.cachedTokens,
  });
}
