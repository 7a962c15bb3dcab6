import type { Cursor } from "./execution.ts";
import type { World } from "./world.ts";

/** After the steps that are on record. */
export async function freeIndex({ deps, job }: World, cursor: Cursor): Promise<number> {
  return Math.max(cursor.index, 1 + (await deps.executions.lastIndex(job.organizationId, job.runId)));
}
