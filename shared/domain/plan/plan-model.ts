import { type NoKey, type ProviderKeys, slotOf } from "../model/provider-key.ts";
import type { ChooseModels } from "../model-selection/choose-models.ts";
import { fillIn, nobodyGave } from "../placeholder/fill-in.ts";
import type { Run } from "../run/run.ts";
import { fillSources } from "./missing-names.ts";
import { noPlan, type PlannedModel, type Refusal } from "./plan.ts";

export interface ChooseModelDeps {
  readonly providerKeys: ProviderKeys;
  readonly choose: ChooseModels;
}

export async function reasonAgainst(
  models: ChooseModelDeps | undefined,
  { choices, prompt }: Pick<PlannedModel, "choices" | "prompt">,
  run: Run,
  builtIn: readonly string[],
): Promise<Refusal | undefined> {
  const filled = fillIn(prompt, fillSources(run, builtIn));
  if (filled.kind === "missing") {
    return noPlan("input_missing", nobodyGave("the prompt", filled.name));
  }
  let reason: Refusal | undefined;
  for (const { provider } of choices) {
    const slot = slotOf(provider);
    const found = await models?.providerKeys.find(run.organizationId, slot);
    if (typeof found === "object") return undefined;
    const code = found ?? "provider_key_missing";
    reason ??= noPlan(code, wordsOfNoKey[code](slot));
  }
  return reason;
}

export const wordsOfNoKey: Readonly<Record<NoKey, (slot: string) => string>> = {
  provider_key_missing: (slot) => `there is no key of the provider ${slot}: set one`,
  provider_key_invalid: (slot) => `the provider refuses the organization's key of ${slot}: set a new one`,
  platform_budget_reached: (slot) =>
    `the platform's own key of ${slot} is used up for today: set one of your own, or wait for the next day`,
};
