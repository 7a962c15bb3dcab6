import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
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
  { machineId: id }: { readonly machineId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.machines, clock: deps.clock }, caller, { id }, idempotency)))
    throw machineNotFound(id);
}
