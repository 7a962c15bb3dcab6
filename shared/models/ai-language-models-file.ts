import { fileURLToPath } from "node:url";

/** The adapter's own file. A bundle has it as a file beside it. */
export const aiLanguageModelsFile: string = fileURLToPath(
  new URL("./ai-language-models.ts", import.meta.url),
);
