import type { PoolDetail } from "../../shared/contract/pool.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { Pool } from "../../shared/domain/pool/pool.ts";
import type { PoolMembers } from "../../shared/domain/pool/pool-members.ts";
import { presentIncludedMachine, presentMachine } from "../../shared/present/present-machine.ts";
import { presentPool } from "../../shared/present/present-pool.ts";

interface MachinesWanted {
  readonly isIncluded: boolean;
  readonly isWithin: boolean;
}

export function presentPoolDetail(
  caller: Caller,
  pool: Pool,
  members: PoolMembers,
  { isIncluded, isWithin }: MachinesWanted,
): PoolDetail {
  const { machines, pools } = members;
  return {
    ...presentPool(pool),
    ...(isIncluded && { included: presentIncludedMachines(caller, members) }),
    ...(isWithin && { machines: machines.map((machine) => presentMachine(caller, machine, pools)) }),
  };
}

export function presentIncludedMachines(caller: Caller, { machines, pools }: PoolMembers) {
  return machines.map((machine) => presentIncludedMachine(caller, machine, pools));
}
