import type { IncludedRelated } from "../contract/run/run.ts";
import type { Caller } from "../domain/access/caller.ts";
import { type RelatedDeps, type RelatedKind, relatedToRuns } from "../domain/run/related-to-runs.ts";
import type { Run } from "../domain/run/run.ts";
import { type UnspillDeps, unspill } from "../domain/spill.ts";
import { type HeavyValues, presentIncluded } from "./present-run.ts";

export async function readHeavy(deps: UnspillDeps, run: Run): Promise<HeavyValues> {
  const [mainPrompt, outputData, runMessageHistory] = await Promise.all([
    unspill(deps, run.overrides.mainPrompt),
    unspill(deps, run.outputData),
    unspill(deps, run.runMessageHistory),
  ]);
  return { mainPrompt, outputData, runMessageHistory };
}

/** Nothing is read, and the field is absent, unless the request names kinds. */
export async function readIncluded(
  deps: RelatedDeps,
  caller: Caller,
  runs: readonly Run[],
  kinds?: readonly RelatedKind[],
): Promise<{ included?: IncludedRelated[] }> {
  if (kinds === undefined) return {};
  const related = await relatedToRuns(deps, caller.organizationId, runs, kinds);
  return { included: presentIncluded(caller, related, kinds) };
}
