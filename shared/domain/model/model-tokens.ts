import type { ModelUsage } from "./language-models.ts";
import type { ModelChoice } from "./model-choice.ts";

export interface ModelTokens extends ModelUsage, Pick<ModelChoice, "provider" | "model"> {}

/** The tokens of this many models of one run are kept apart: its own, its fallbacks, and some to spare. */
export const modelsOfRunMax = 10;
