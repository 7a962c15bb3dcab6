import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";

/**
 * Replaces the pools that a machine is in.
 *
 * There are no pools before the release that brings them: until then every id is of a pool that is not there, and
 * a machine can only be in none.
 *
 * @throws {DomainError} `insufficient_scope`, or `not_found` for the machine and for each pool.
 */
export async function setMachinePools(
  deps: Pick<MachineDeps, "machines">,
  caller: Caller,
  input: { readonly machineId: string; readonly poolIds: readonly string[] },
): Promise<readonly never[]> {
  requireScope(caller, "write");
  const machine = await deps.machines.find(caller.organizationId, input.machineId);
  if (!machine) throw machineNotFound(input.machineId);
  const [unknown] = input.poolIds;
  if (unknown !== undefined) throw new DomainError("not_found", `there is no pool ${unknown}`);
  return [];
}
