import type { Spilled } from "../spill.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** A run's own values instead of its workflow's; null: the workflow's. */
export interface RunOverrides
  extends Pick<Workflow, "modelMetadata" | "modelConfigurationId" | "maxTokens">,
    Record<"maxSteps" | "maxDurationSeconds", number | null> {
  readonly mainPrompt: Spilled | null;
}

/** As a request gives them. */
export interface RunOverridesInput extends Partial<Omit<RunOverrides, "mainPrompt">> {
  readonly mainPrompt?: string | null;
}

export const noOverrides: RunOverrides = {
  mainPrompt: null,
  modelMetadata: null,
  modelConfigurationId: null,
  maxSteps: null,
  maxDurationSeconds: null,
  maxTokens: null,
};
