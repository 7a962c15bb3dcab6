import type { Caller } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";

/** Hides the machine at once; the projector cleans up its connection, secrets and runs. */
export async function deleteMachine(
  deps: Pick<MachineDeps, "machines" | "clock">,
  caller: Caller,
  { machineId: id, ifEdition }: Edit & { readonly machineId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (
    !(await hideEntity({ store: deps.machines, clock: deps.clock }, caller, { id, ifEdition }, idempotency))
  )
    throw machineNotFound(id);
}
