import type { LanguageModels, ModelReply, ModelRequest } from "../domain/model/language-models.ts";
import type { AiLanguageModelsOptions } from "./ai-language-models.ts";
import { loadAiLanguageModels } from "./load-ai-language-models.ts";
import { pictureSizeMax } from "./models-by-name.ts";

/** Loads the packages, which take 150 ms and 1.4 MB, with the first call, because most invocations use no model. */
export class LazyLanguageModels implements LanguageModels {
  readonly #options: AiLanguageModelsOptions;
  #models: Promise<LanguageModels> | undefined;

  constructor(options: AiLanguageModelsOptions) {
    this.#options = options;
  }

  pictureSizeMax(choice: Parameters<LanguageModels["pictureSizeMax"]>[0]): number {
    return pictureSizeMax(choice);
  }

  async ask(request: ModelRequest): Promise<ModelReply> {
    this.#models ??= this.#load();
    const models = await this.#models;
    return models.ask(request);
  }

  async #load(): Promise<LanguageModels> {
    const { AiLanguageModels } = await loadAiLanguageModels();
    return new AiLanguageModels(this.#options);
  }
}
