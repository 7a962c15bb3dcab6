import { AiLanguageModels } from "../../../shared/models/ai-language-models.ts";
import { decideByPicture } from "../providers/decide-by-picture.ts";
import { type ProviderKind, type StartedProvider, startProvider } from "../providers/start-provider.ts";
import type { Decide } from "../providers/wire-format.ts";
import type { ExecutionWorldOptions } from "./execution-world.ts";
import { FakeKeys } from "./fake-models.ts";

export const formats = ["anthropic", "openai", "google", "bedrock by key"] as const satisfies ProviderKind[];

/** A stand-in whose model decides by the pixels in its request. Its starter must stop its server. */
export async function lookingProvider(
  kind: ProviderKind,
  decide: Decide = decideByPicture,
): Promise<StartedProvider> {
  return await startProvider(kind, decide);
}

export function overTheWire({
  provider,
  model,
  key,
  options,
}: StartedProvider): NonNullable<ExecutionWorldOptions["model"]> {
  const models = new AiLanguageModels(options);
  return {
    decide: async (request) => await models.ask(request),
    sizeMax: models.pictureSizeMax({ provider, model }),
    keys: new FakeKeys(key),
    choices: [{ provider, model }],
  };
}

const items = ["Chair", "Desk lamp", "Table", "Shelf", "Sofa", "Mirror"] as const;

export function ordersTask(count: number) {
  const names = Array.from({ length: count }, (_, at) => (at === 0 ? "" : `_${at + 1}`));
  const inputs = Object.fromEntries(
    names.flatMap((name, at) => [
      [`item${name}`, items[at] ?? ""],
      [`quantity${name}`, at + 2],
    ]),
  );
  const sentences = names.map(
    (name) => `Make an order for Daniel Weiß: {quantity${name}} of {item${name}}, with the PIN {$pin}.`,
  );
  return { inputs, mainPrompt: [...sentences, "Put out the orders' numbers."].join(" ") };
}
