import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type RunDeps, runNotFound } from "./run-deps.ts";

/**
 * Hides the run at once, cancelled if it is running, in one write. The stream's reader (`finish-run-deletion.ts`)
 * removes its attachments, their files and its secrets after the commit, and retries on failure.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deleteRun(
  deps: Pick<RunDeps, "runs" | "clock">,
  caller: Caller,
  input: { readonly runId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  const isDeleted = await deps.runs.markDeleted(
    caller.organizationId,
    input.runId,
    deletedAt,
    input.idempotency,
  );
  if (!isDeleted) throw runNotFound(input.runId);
}
