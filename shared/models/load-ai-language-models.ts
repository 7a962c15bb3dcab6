/** In a bundle it requires the file beside it. */
export function loadAiLanguageModels(): Promise<typeof import("./ai-language-models.ts")> {
  return import("./ai-language-models.ts");
}
