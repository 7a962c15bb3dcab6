import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Run } from "./run.ts";
import type { RunDeps } from "./run-deps.ts";
import type { HeavyField, RunFilter } from "./run-store.ts";

export interface ListRunsInput {
  readonly filter: RunFilter;
  readonly page: PageRequest;
  /** Heavy fields to include. */
  readonly heavy: readonly HeavyField[];
}

/** @throws {DomainError} `insufficient_scope` or `search_too_broad`. */
export async function listRuns(
  deps: Pick<RunDeps, "runs">,
  caller: Caller,
  input: ListRunsInput,
): Promise<Page<Run>> {
  requireScope(caller, "read");
  return deps.runs.list(caller.organizationId, input.filter, input.page, input.heavy);
}
