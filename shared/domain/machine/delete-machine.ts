import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";

/**
 * Hides the machine at once, in one write. The stream's reader (`finish-machine-deletion.ts`) cleans up its connection,
 * secrets and runs after the commit, and retries on failure.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deleteMachine(
  deps: Pick<MachineDeps, "machines" | "clock">,
  caller: Caller,
  input: { readonly machineId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  const isDeleted = await deps.machines.markDeleted(
    caller.organizationId,
    input.machineId,
    deletedAt,
    input.idempotency,
  );
  if (!isDeleted) throw machineNotFound(input.machineId);
}
