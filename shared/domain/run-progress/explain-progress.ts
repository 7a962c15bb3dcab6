import type { ExecutionStore } from "../execution/execution-store.ts";
import type { Run } from "../run/run.ts";

export interface Progress {
  /** While a trajectory is replayed the element under way, else the last step begun, within its attempt. */
  readonly step: number;
  /** As many as the trajectory has elements, or else as the attempt may take steps. */
  readonly of: number;
  readonly lastAction: string;
  readonly at: string;
}

/** Undefined for a run that the service does not carry out at present, and before its first step; else one query. */
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
