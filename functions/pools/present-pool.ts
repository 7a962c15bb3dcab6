import type { PoolDetail, PoolList } from "../../shared/contract/pool.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { Page, PageRequest } from "../../shared/domain/page.ts";
import type { Pool } from "../../shared/domain/pool/pool.ts";
import type { PoolMembers } from "../../shared/domain/pool/pool-members.ts";
import { presentIncludedMachine } from "../../shared/present/present-machine.ts";
import { presentPool } from "../../shared/present/present-pool.ts";

/** @param members undefined when its machines were not requested: then `included` is absent. */
export function presentPoolDetail(caller: Caller, pool: Pool, members: PoolMembers | undefined): PoolDetail {
  if (members === undefined) return presentPool(pool);
  const { machines, pools } = members;
  const included = machines.map((machine) => presentIncludedMachine(caller, machine, pools));
  return { ...presentPool(pool), included };
}

export function presentPools(page: Page<Pool>, request: PageRequest): PoolList {
  return {
    items: page.items.map(presentPool),
    total: page.total,
    skip: request.skip,
    limit: request.limit,
  };
}
