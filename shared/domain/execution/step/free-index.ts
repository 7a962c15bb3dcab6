import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";

export async function freeIndex({ deps, job }: Invocation, cursor: Cursor): Promise<number> {
  const last = await deps.executions.findLastStep(job.organizationId, job.runId);
  return Math.max(cursor.index, 1 + (last?.index ?? 0));
}
