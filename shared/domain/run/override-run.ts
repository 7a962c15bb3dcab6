import { notFound } from "../entity/not-found.ts";
import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import { findModelConfigurations } from "../model-configuration/read-model-configurations.ts";
import type { OrganizationId } from "../organization-id.ts";
import { removeSpilled, type SpillDeps, spill, unspill } from "../spill.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Run } from "./run.ts";
import { noOverrides, type RunOverridesInput } from "./run-overrides.ts";

/** The configurations may still be removed before the run begins. @throws {DomainError} `not_found`. */
export async function requireOverrides(
  deps: { readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany"> },
  organizationId: OrganizationId,
  { modelConfigurationId, fallbackModelConfigurationIds }: RunOverridesInput,
): Promise<void> {
  const ids = [modelConfigurationId, ...(fallbackModelConfigurationIds ?? [])].filter((id) => id != null);
  if (ids.length === 0) return;
  const found = await findModelConfigurations(deps, organizationId, ids);
  const missing = ids.find((id) => !found.some((each) => each.id === id));
  if (missing !== undefined) throw notFound("model configuration", missing);
}

/** A long prompt has an object of its own, written before the run that names it. */
export async function withOverrides(
  deps: SpillDeps,
  run: Run,
  { mainPrompt, ...others }: RunOverridesInput,
): Promise<Run> {
  const { organizationId, id } = run;
  const place = { organizationId, kind: "run", id, field: "main_prompt", objectId: id };
  const prompt = mainPrompt == null ? null : await spill(deps, place, mainPrompt);
  return { ...run, overrides: { ...noOverrides, ...others, mainPrompt: prompt } };
}

export async function dropOverrides(deps: SpillDeps, runs: readonly Run[]): Promise<void> {
  await removeSpilled(
    deps,
    runs.map(({ overrides }) => overrides.mainPrompt),
  );
}

export async function promptOf(
  deps: SpillDeps,
  { overrides }: Pick<Run, "overrides">,
  workflow: Pick<Workflow, "mainPrompt">,
): Promise<string> {
  const own = await unspill(deps, overrides.mainPrompt);
  return typeof own === "string" ? own : workflow.mainPrompt;
}

export function boundsOf(
  { overrides }: Pick<Run, "overrides">,
  workflow: Pick<Workflow, "maxSteps" | "maxDurationSeconds" | "maxTokens">,
): Pick<Workflow, "maxSteps" | "maxDurationSeconds" | "maxTokens"> {
  return {
    maxSteps: overrides.maxSteps ?? workflow.maxSteps,
    maxDurationSeconds: overrides.maxDurationSeconds ?? workflow.maxDurationSeconds,
    maxTokens: overrides.maxTokens ?? workflow.maxTokens,
  };
}
