import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type RunDeps, runNotFound } from "./run-deps.ts";

/**
 * Hides the run at once, cancelled if it is running, in one write. Its attachments, their files and its secrets
 * are seen to by the stream's reader (`finish-run-deletion.ts`), which comes after the commit and again if it fails.
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
