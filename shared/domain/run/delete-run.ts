import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type RunDeps, runNotFound } from "./run-deps.ts";

/**
 * The stream's reader (`finish-run-deletion.ts`) removes attachments, their files and secrets of the hidden run.
 * @throws {DomainError} `insufficient_scope` or `not_found`. @throws {AlreadyOnRecord}
 */
export async function deleteRun(
  deps: Pick<RunDeps, "runs" | "clock">,
  caller: Caller,
  { runId: id }: { readonly runId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.runs, clock: deps.clock }, caller, { id }, idempotency)))
    throw runNotFound(id);
}
