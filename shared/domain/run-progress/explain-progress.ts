import type { ExecutionStore } from "../execution/execution-store.ts";
import type { Run } from "../run/run.ts";
import type { RunStep } from "../run-step/run-step.ts";

export interface Progress {
  /** The current element of a replayed trajectory, or otherwise the attempt's last step begun. */
  readonly step: number;
  /** The number of the trajectory's elements, or otherwise of the steps that the attempt may take. */
  readonly of: number;
  readonly lastAction: string;
  readonly at: string;
}

/** Returns undefined before the first step, and for a run that the service does not carry out. Otherwise one query. */
export async function explainProgress(
  { executions }: { readonly executions: Pick<ExecutionStore, "findLastStep"> },
  run: RunUnderWay & Pick<Run, "organizationId" | "id">,
): Promise<Progress | undefined> {
  if (!hasProgress(run)) return undefined;
  return progressAt(run, await executions.findLastStep(run.organizationId, run.id));
}

type RunUnderWay = Pick<Run, "status" | "executor" | "assignmentId">;

export function hasProgress({ status, executor }: RunUnderWay): boolean {
  return status === "running" && executor === "service";
}

export function progressAt(run: RunUnderWay, last: RunStep | undefined): Progress | undefined {
  if (!hasProgress(run) || last === undefined) return undefined;
  if (last.inAttempt === null || last.assignmentId !== run.assignmentId) return undefined;
  const { type, target } = last.action;
  return {
    step: last.inAttempt.step,
    of: last.inAttempt.of,
    at: last.startedAt,
    lastAction: [type, target].filter((word) => typeof word === "string").join(" "),
  };
}
