import type { ModelChoice } from "../model/model-choice.ts";
import type { Run } from "../run/run.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface ChosenModels {
  readonly main: ModelChoice;
  /** At most two, in turn. */
  readonly fallbacks: readonly ModelChoice[];
  /** Names inputs as `{name}` and secrets as `{$alias}`. */
  readonly prompt: string;
  /** Tokens of all calls, input and output; null without a limit. */
  readonly maxTokens: number | null;
}

/** @returns undefined for a run without a model. */
export type ChooseModels = (
  run: Run,
  workflow: Workflow,
) => Promise<ChosenModels | "model_configuration_missing" | undefined>;
