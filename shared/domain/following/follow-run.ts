import type { Caller } from "../access/caller.ts";
import { getEntity } from "../entity/read-entities.ts";
import type { Run } from "../run/run.ts";
import { isTerminal } from "../run/run-status.ts";
import type { RunStore } from "../run/run-store.ts";
import { type Awaited, type WaitDeps, type WaitOptions, waitFor } from "./wait-for.ts";

export interface FollowRunInput {
  readonly runId: string;
  /** A run of a higher revision is more. */
  readonly revision: number;
  readonly wait: WaitOptions;
}

/** Nothing is waited for from a run that has ended. @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function followRun(
  deps: WaitDeps & { readonly runs: Pick<RunStore, "find"> },
  caller: Caller,
  { runId, revision, wait }: FollowRunInput,
): Promise<Awaited<Run>> {
  const read = () => getEntity(deps.runs, caller, "run", runId);
  return await waitFor(deps, caller, wait, {
    first: await read(),
    read,
    hasMore: (run) => run.revision > revision || isTerminal(run.status),
  });
}
