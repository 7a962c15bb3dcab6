/** In a bundle this function requires the file beside the bundle. */
export function loadAiLanguageModels(): Promise<typeof import("./ai-language-models.ts")> {
  return import("./ai-language-models.ts");
}
