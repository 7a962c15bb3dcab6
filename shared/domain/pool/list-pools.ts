import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Pool } from "./pool.ts";
import type { PoolDeps } from "./pool-deps.ts";
import type { PoolFilter } from "./pool-store.ts";

export async function listPools(
  deps: Pick<PoolDeps, "pools">,
  caller: Caller,
  input: { readonly filter: PoolFilter; readonly page: PageRequest },
): Promise<Page<Pool>> {
  requireScope(caller, "read");
  return deps.pools.list(caller.organizationId, input.filter, input.page);
}
