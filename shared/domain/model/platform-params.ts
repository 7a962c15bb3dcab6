import type { CoveredProvider } from "../../vocabulary/providers.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ModelChoice } from "./model-choice.ts";

/**
 * The settings that a call on the platform's key may have: they change how a model decides, not what the account pays
 * for (tiers, several candidates), what the provider keeps, or whom it calls (servers, tools).
 */
const allowedOnPlatform: Readonly<Record<CoveredProvider, readonly string[]>> = {
  anthropic: ["thinking", "output_config.effort", "top_k", "top_p", "stop_sequences"],
  openai: ["reasoning.effort", "reasoning.summary", "text.verbosity", "top_p", "truncation"],
  google: googleSettings(),
  google_vertex: googleSettings(),
  aws_bedrock: ["thinking", "reasoning_config", "top_k", "top_p", "stop_sequences"],
};

function googleSettings(): readonly string[] {
  const names = ["topP", "topK", "stopSequences", "seed", "mediaResolution", "thinkingConfig"];
  return names.map((name) => `generationConfig.${name}`);
}

/** Returns the first setting of a choice that the platform's key does not allow. */
export function refusedOnPlatform({ provider, additionalParams }: ModelChoice): string | undefined {
  return settingsOf(additionalParams, allowedOnPlatform[provider]).find(
    (name) => !allowedOnPlatform[provider].includes(name),
  );
}

/** A setting inside of an object counts by itself where the list has others of that object. */
function settingsOf(params: JsonObject, allowed: readonly string[], prefix = ""): readonly string[] {
  return Object.entries(params).flatMap(([key, value]) => {
    const name = prefix + key;
    const isOpen = allowed.some((each) => each.startsWith(`${name}.`));
    return isOpen && isObject(value) ? settingsOf(value, allowed, `${name}.`) : [name];
  });
}
