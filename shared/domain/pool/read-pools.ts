import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Pool } from "./pool.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";
import type { PoolFilter } from "./pool-store.ts";

export async function getPool(
  deps: Pick<PoolDeps, "pools">,
  caller: Caller,
  input: { readonly poolId: string },
): Promise<Pool> {
  requireScope(caller, "read");
  const pool = await deps.pools.find(caller.organizationId, input.poolId);
  if (pool === undefined) throw poolNotFound(input.poolId);
  return pool;
}

export async function listPools(
  deps: Pick<PoolDeps, "pools">,
  caller: Caller,
  input: { readonly filter: PoolFilter; readonly page: PageRequest },
): Promise<Page<Pool>> {
  requireScope(caller, "read");
  return deps.pools.list(caller.organizationId, input.filter, input.page);
}
