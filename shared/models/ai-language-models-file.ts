import { fileURLToPath } from "node:url";

/** The adapter itself. In a bundle: a file beside it. */
export const aiLanguageModelsFile: string = fileURLToPath(
  new URL("./ai-language-models.ts", import.meta.url),
);
