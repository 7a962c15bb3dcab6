import type { MachineList, Machine as WireMachine } from "../../shared/contract/machine.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import type { Page, PageRequest } from "../../shared/domain/page.ts";
import type { PoolsById } from "../../shared/domain/pool/pool-members.ts";
import { presentMachine } from "../../shared/present/present-machine.ts";
import { presentIncludedPool } from "../../shared/present/present-pool.ts";

export type Include = readonly "pools"[] | undefined;

export function presentRequestedMachine(
  caller: Caller,
  machine: Machine,
  pools: PoolsById,
  include?: Include,
): WireMachine {
  return { ...presentMachine(caller, machine, pools), ...presentIncluded(pools, include) };
}

export function presentMachines(
  caller: Caller,
  page: Page<Machine>,
  pools: PoolsById,
  request: PageRequest,
  include: Include,
): MachineList {
  return {
    items: page.items.map((machine) => presentMachine(caller, machine, pools)),
    total: page.total,
    skip: request.skip,
    limit: request.limit,
    ...presentIncluded(pools, include),
  };
}

function presentIncluded(pools: PoolsById, include: Include) {
  return include === undefined ? {} : { included: [...pools.values()].map(presentIncludedPool) };
}
