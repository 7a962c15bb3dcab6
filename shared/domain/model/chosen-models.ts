import { choiceDefaults } from "../model-configuration/model-configuration.ts";
import type { Run } from "../run/run.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { ModelChoice } from "./model-choice.ts";

/** What a run's models are, and what it asks them for. */
export interface ChosenModels {
  readonly main: ModelChoice;
  /** At most two, in turn. */
  readonly fallbacks: readonly ModelChoice[];
  /** Names inputs as `{name}` and secrets as `{$alias}`. */
  readonly prompt: string;
  /** Of all calls, input and output; null without a limit. */
  readonly maxTokens: number | null;
}

/** @returns undefined for a run without a model. */
export type ChooseModels = (run: Run, workflow: Workflow) => Promise<ChosenModels | undefined>;

/** The workflow's own one. */
export const chooseOwnModel: ChooseModels = async (_run, { modelMetadata, mainPrompt, maxTokens }) => {
  if (modelMetadata === null) return undefined;
  const { provider, model } = modelMetadata;
  return {
    main: { provider, model, ...choiceDefaults },
    ...{ fallbacks: [], prompt: mainPrompt, maxTokens },
  };
};
