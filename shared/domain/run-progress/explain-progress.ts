import type { ExecutionStore } from "../execution/execution-store.ts";
import type { Run } from "../run/run.ts";

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
  { organizationId, id, status, executor, assignmentId }: Run,
): Promise<Progress | undefined> {
  if (status !== "running" || executor !== "service") return undefined;
  const last = await executions.findLastStep(organizationId, id);
  if (last === undefined || last.inAttempt === null || last.assignmentId !== assignmentId) return undefined;
  const { type, target } = last.action;
  return {
    step: last.inAttempt.step,
    of: last.inAttempt.of,
    at: last.startedAt,
    lastAction: [type, target].filter((word) => typeof word === "string").join(" "),
  };
}
