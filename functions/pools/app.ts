import type { Hono } from "hono";
import { poolOperations } from "../../shared/contract/operations/pool-operations.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import { deletePool } from "../../shared/domain/entity/delete-entity.ts";
import { getEntity, getPage } from "../../shared/domain/entity/read-entities.ts";
import type { MachineStore } from "../../shared/domain/machine/machine-store.ts";
import { addMachines, removeMachines } from "../../shared/domain/pool/change-members.ts";
import { createPool } from "../../shared/domain/pool/create-pool.ts";
import type { Pool } from "../../shared/domain/pool/pool.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolMembers } from "../../shared/domain/pool/pool-members.ts";
import { updatePool } from "../../shared/domain/pool/update-pool.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { presentIncludedMachines, presentPoolDetail } from "./present-pool.ts";
import { createInput, poolFilter, updateInput } from "./read-input.ts";

export interface PoolsDeps extends HttpDeps, Pick<PoolDeps, "pools" | "memberships" | "secrets"> {
  readonly machines: Pick<MachineStore, "findMany">;
}

export function createPoolsApp(deps: PoolsDeps): Hono<HttpEnv> {
  const membersOf = (caller: Caller, ...pools: readonly Pick<Pool, "id">[]) =>
    poolMembers(
      deps,
      caller.organizationId,
      pools.map(({ id }) => id),
    );

  return createCallersApp(deps, poolOperations, {
    listPools: async ({ caller, query }) => {
      const { skip, limit, include } = query;
      const { items, total } = await getPage(deps.pools, caller, poolFilter(query), query);
      const included = include && presentIncludedMachines(caller, await membersOf(caller, ...items));
      const list = { items: items.map(presentPool), total, skip, limit, ...(included && { included }) };
      return boundedResponse(list);
    },
    createPool: async ({ body, write, tagged }) =>
      tagged(await write(createPool, createInput(body)), presentPool),
    getPool: async ({ caller, path, query, tagged }) => {
      const wanted = { isIncluded: query.include !== undefined, isWithin: query.include_machines };
      return tagged(await getEntity(deps.pools, caller, "pool", path.pool_id), async (pool) => {
        if (!wanted.isIncluded && !wanted.isWithin) return presentPool(pool);
        return presentPoolDetail(caller, pool, await membersOf(caller, pool), wanted);
      });
    },
    updatePool: async ({ path, body, ifEdition, write, tagged }) =>
      tagged(await write(updatePool, { ...updateInput(path.pool_id, body), ifEdition }), presentPool),
    deletePool: ({ path, ifEdition, write }) => write(deletePool, { id: path.pool_id, ifEdition }),
    addMachinesToPool: async ({ caller, path, body, ifEdition, write }) => {
      const input = { poolId: path.pool_id, machineIds: body.machine_ids, ifEdition };
      const written = await write(addMachines, input);
      // The pool is read again, so that the number matches the machines beside it; on a retry it may be gone.
      const pool = (await deps.pools.find(caller.organizationId, written.id)) ?? written;
      const wanted = { isIncluded: true, isWithin: true };
      return presentPoolDetail(caller, pool, await membersOf(caller, pool), wanted);
    },
    removeMachinesFromPool: ({ path, body, ifEdition, write }) =>
      write(removeMachines, { poolId: path.pool_id, machineIds: body.machine_ids, ifEdition }),
  });
}
