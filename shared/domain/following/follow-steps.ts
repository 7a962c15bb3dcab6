import type { Caller } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { Run } from "../run/run.ts";
import { isTerminal } from "../run/run-status.ts";
import type { RunStore } from "../run/run-store.ts";
import type { HowFar } from "../run-progress/how-far.ts";
import { howFarOf } from "../run-progress/list-run-steps.ts";
import { requireRun } from "../run-progress/step-deps.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { type Awaited, type WaitDeps, type WaitOptions, waitFor } from "./wait-for.ts";

export interface FollowStepsDeps extends WaitDeps {
  readonly runs: Pick<RunStore, "find" | "findWithStep">;
  readonly executions: Pick<ExecutionStore, "listSteps">;
}

export interface FollowStepsInput {
  readonly runId: string;
  readonly afterIndex: number;
  readonly limit: number;
  readonly wait: WaitOptions;
}

export interface FollowedSteps extends HowFar {
  readonly items: readonly RunStep[];
  readonly total: number;
  /** The run, once it has ended and has no further step. */
  readonly ended: Run | undefined;
}

/**
 * Lists each step once, with its outcome: one under way is left for a later page. How far the run got is in the last.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 */
export async function followSteps(
  deps: FollowStepsDeps,
  caller: Caller,
  { runId, afterIndex, limit, wait }: FollowStepsInput,
): Promise<Awaited<FollowedSteps>> {
  const { organizationId } = caller;
  const list = async (run: Run) => {
    const listed = await deps.executions.listSteps(organizationId, runId, { skip: 0, limit, afterIndex });
    return { run, ...listed };
  };
  const listed = await list(await requireRun(deps, caller, runId));
  const [firstStep] = listed.items;
  const next = firstStep?.index ?? afterIndex + 1;
  const { found, isFull } = await waitFor(deps, caller, wait, {
    first: { run: listed.run, step: firstStep },
    read: async () => {
      const { run, step } = await deps.runs.findWithStep(organizationId, runId, next);
      if (run === undefined) throw notFound("run", runId);
      return { run, step };
    },
    hasMore: ({ run, step }) => isTerminal(run.status) || (step !== undefined && !isUnderWay(run, step)),
  });
  const { run, items, total } = found.run === listed.run ? listed : await list(found.run);
  const shown = items.filter((step) => !isUnderWay(run, step));
  const isLast = isTerminal(run.status) && items.length === 0;
  const far = isLast ? await howFarOf(deps, run, total) : { summary: null, isSafeToRetry: null };
  return { found: { items: shown, total, ended: isLast ? run : undefined, ...far }, isFull };
}

/** Only the last step of the attempt can be. */
function isUnderWay(run: Run, { status, assignmentId }: RunStep): boolean {
  return run.status === "running" && status === "sending" && assignmentId === run.assignmentId;
}
