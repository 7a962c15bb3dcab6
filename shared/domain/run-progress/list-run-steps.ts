import type { Caller } from "../access/caller.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { Page } from "../page.ts";
import type { Run } from "../run/run.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { StepsPage } from "../run-step/step-reader.ts";
import { type HowFar, howFar, type StepsOfAttempt } from "./how-far.ts";
import { requireRun, type StepDeps } from "./step-deps.ts";

export interface ListStepsDeps extends Pick<StepDeps, "runs"> {
  readonly executions: Pick<ExecutionStore, "listSteps">;
}

/** Lists oldest first, over all attempts, with the progress of the current one. */
export async function listRunSteps(
  deps: ListStepsDeps,
  caller: Caller,
  { runId, page }: { readonly runId: string; readonly page: StepsPage },
): Promise<Page<RunStep> & HowFar> {
  const run = await requireRun(deps, caller, runId);
  const listed = await deps.executions.listSteps(caller.organizationId, runId, page);
  return { ...listed, ...howFar(run, await stepsOfAttempt(deps, run, page, listed)) };
}

const readMax = 500;

/** The attempt's steps are read only if the page lacks some of them. */
async function stepsOfAttempt(
  { executions }: ListStepsDeps,
  { organizationId, id, attempt }: Run,
  page: StepsPage,
  { items, total }: Page<RunStep>,
): Promise<StepsOfAttempt> {
  const isWhole = page.skip === 0 && page.after === undefined && total <= page.limit;
  const own: RunStep[] = [];
  for (let end = total; end > 0; ) {
    const skip = isWhole ? 0 : Math.max(0, end - readMax);
    const read = isWhole
      ? items
      : (await executions.listSteps(organizationId, id, { skip, limit: end - skip })).items;
    const found = read.filter((step) => step.attempt === attempt);
    own.unshift(...found);
    if (found.length < read.length) return { steps: own, isCut: false };
    end = skip;
  }
  // Steps are numbered over all attempts, and the oldest expire first.
  return { steps: own, isCut: (own[0]?.index ?? 1) > 1 };
}
