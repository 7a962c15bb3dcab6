import { type Caller, requireScope } from "../access/caller.ts";
import type { Run } from "./run.ts";
import { runNotFound } from "./run-deps.ts";
import type { RunStore } from "./run-store.ts";

/** @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function getRun(
  deps: { readonly runs: Pick<RunStore, "find"> },
  caller: Caller,
  input: { readonly runId: string },
): Promise<Run> {
  requireScope(caller, "read");
  const run = await deps.runs.find(caller.organizationId, input.runId);
  if (run === undefined) throw runNotFound(input.runId);
  return run;
}
