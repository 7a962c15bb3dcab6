import type { Json } from "../../json.ts";
import { slotOf } from "../../model/covered-providers.ts";
import type { NoKey } from "../../model/provider-key.ts";
import type { ChosenModels } from "../../model-selection/chosen-models.ts";
import { fillIn } from "../../placeholder/fill-in.ts";
import type { PlannedModel } from "../../plan/plan.ts";
import type { Run } from "../../run/run.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { type Failure, failure } from "../step/step-result.ts";
import { aliasesOf } from "./missing-names.ts";

type ChosenModel = Omit<PlannedModel, "images" | "programs">;

export function plannedModel({ main, fallbacks, prompt, maxTokens }: ChosenModels): ChosenModel {
  return { choices: [main, ...fallbacks], prompt, maxTokens };
}

export async function reasonAgainst(
  { models }: Pick<ExecutorDeps, "models">,
  { choices, prompt }: ChosenModel,
  run: Run,
  builtIn: readonly string[],
): Promise<Failure | undefined> {
  const saved = new Map<string, Json>(builtIn.map((name) => [name, ""]));
  const filled = fillIn(prompt, { inputs: run.inputValues, saved, aliases: new Set(aliasesOf(run)) });
  if (filled.kind === "missing") {
    return failure("input_missing", `the prompt names {${filled.name}}, which nobody gave`);
  }
  let reason: Failure | undefined;
  for (const { provider } of choices) {
    const slot = slotOf(provider);
    const found = await models?.providerKeys.find(run.organizationId, slot);
    if (typeof found === "object") return undefined;
    reason ??= noKey(found ?? "provider_key_missing", slot);
  }
  return reason;
}

export function noKey(code: NoKey, slot: string): Failure {
  return failure(code, wordsOfNoKey[code](slot));
}

const wordsOfNoKey: Readonly<Record<NoKey, (slot: string) => string>> = {
  provider_key_missing: (slot) => `there is no key of the provider ${slot}: set one`,
  provider_key_invalid: (slot) => `the provider refuses the organization's key of ${slot}: set a new one`,
  platform_budget_reached: (slot) =>
    `the platform's own key of ${slot} is used up for today: set one of your own, or wait for the next day`,
};
