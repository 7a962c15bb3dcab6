import type { Spilled } from "../spill.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** Null means the workflow's value. */
export interface RunOverrides
  extends Pick<Workflow, "modelMetadata" | "modelConfigurationId" | "maxTokens">,
    Record<"maxSteps" | "maxDurationSeconds", number | null> {
  readonly fallbackModelConfigurationIds: readonly string[] | null;
  readonly mainPrompt: Spilled | null;
}

export interface RunOverridesInput extends Partial<Omit<RunOverrides, "mainPrompt">> {
  readonly mainPrompt?: string | null;
}

export const noOverrides: RunOverrides = {
  mainPrompt: null,
  modelMetadata: null,
  modelConfigurationId: null,
  fallbackModelConfigurationIds: null,
  maxSteps: null,
  maxDurationSeconds: null,
  maxTokens: null,
};
