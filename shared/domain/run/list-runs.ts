import { type Caller, requireScope } from "../access/caller.ts";
import type { Page } from "../page.ts";
import type { SpillDeps } from "../spill.ts";
import { deepSearch, type RunsWanted } from "./deep-search.ts";
import type { Run } from "./run.ts";
import type { RunDeps } from "./run-deps.ts";

export interface ListRunsInput extends RunsWanted {
  /** A deep search covers all data of few runs. @default false */
  readonly isDeep?: boolean;
}

/** @throws {DomainError} `insufficient_scope` or `search_too_broad`. */
export async function listRuns(
  deps: SpillDeps & Pick<RunDeps, "runs">,
  caller: Caller,
  input: ListRunsInput,
): Promise<Page<Run>> {
  requireScope(caller, "read");
  const { filter, page, isDeep, heavy, sortMode } = input;
  if (isDeep && filter.search !== undefined) return await deepSearch(deps, caller.organizationId, input);
  return await deps.runs.list(caller.organizationId, filter, page, { heavy, sortMode });
}
