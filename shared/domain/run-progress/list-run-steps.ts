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
  const isWhole = page.skip === 0 && page.after === undefined && listed.total <= page.limit;
  return { ...listed, ...(await howFarOf(deps, run, listed.total, isWhole ? listed.items : undefined)) };
}

const readMax = 500;

/** @param all are the run's steps, where they have been read already. */
export async function howFarOf(
  { executions }: Pick<ListStepsDeps, "executions">,
  run: Run,
  total: number,
  all?: readonly RunStep[],
): Promise<HowFar> {
  return howFar(run, await stepsOfAttempt(executions, run, total, all));
}

async function stepsOfAttempt(
  executions: ListStepsDeps["executions"],
  { organizationId, id, attempt }: Run,
  total: number,
  all: readonly RunStep[] | undefined,
): Promise<StepsOfAttempt> {
  const own: RunStep[] = [];
  for (let end = total; end > 0; ) {
    const skip = all ? 0 : Math.max(0, end - readMax);
    const page = { skip, limit: end - skip };
    const read = all ?? (await executions.listSteps(organizationId, id, page)).items;
    const found = read.filter((step) => step.attempt === attempt);
    own.unshift(...found);
    if (found.length < read.length) return { steps: own, isCut: false };
    end = skip;
  }
  // Steps are numbered over all attempts, and the oldest expire first.
  return { steps: own, isCut: (own[0]?.index ?? 1) > 1 };
}
