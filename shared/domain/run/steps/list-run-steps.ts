import type { Caller } from "../../access/caller.ts";
import type { RunStep } from "../../execution/execution.ts";
import type { Page, PageRequest } from "../../page.ts";
import { requireRun, type StepDeps } from "./step-deps.ts";

/**
 * Oldest first, over all attempts of the run, with the exact total.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 */
export async function listRunSteps(
  deps: StepDeps,
  caller: Caller,
  { runId, page }: { readonly runId: string; readonly page: PageRequest },
): Promise<Page<RunStep>> {
  await requireRun(deps, caller, runId);
  return await deps.executions.listSteps(caller.organizationId, runId, page);
}
