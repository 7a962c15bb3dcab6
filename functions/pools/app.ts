import type { Hono } from "hono";
import { poolOperations } from "../../shared/contract/operations/pool-operations.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { MachineStore } from "../../shared/domain/machine/machine-store.ts";
import { addMachines } from "../../shared/domain/pool/add-machines.ts";
import { createPool } from "../../shared/domain/pool/create-pool.ts";
import { deletePool } from "../../shared/domain/pool/delete-pool.ts";
import { getPool } from "../../shared/domain/pool/get-pool.ts";
import { listPools } from "../../shared/domain/pool/list-pools.ts";
import type { Pool } from "../../shared/domain/pool/pool.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolMembers } from "../../shared/domain/pool/pool-members.ts";
import { removeMachines } from "../../shared/domain/pool/remove-machines.ts";
import { updatePool } from "../../shared/domain/pool/update-pool.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { presentIncludedMachines, presentPoolDetail } from "./present-pool.ts";
import { createInput, poolFilter, updateInput } from "./read-input.ts";

export interface PoolsDeps extends HttpDeps, Pick<PoolDeps, "pools" | "memberships" | "secrets"> {
  readonly machines: Pick<MachineStore, "findMany">;
}

export function createPoolsApp(deps: PoolsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  const membersOf = (caller: Caller, ...pools: readonly Pick<Pool, "id">[]) =>
    poolMembers(
      deps,
      caller.organizationId,
      pools.map(({ id }) => id),
    );

  serveOperations(app, deps, poolOperations, {
    listPools: async ({ caller, query }) => {
      const { skip, limit, include } = query;
      const { items, total } = await listPools(deps, caller, { filter: poolFilter(query), page: query });
      const included = include && presentIncludedMachines(caller, await membersOf(caller, ...items));
      const list = { items: items.map(presentPool), total, skip, limit, ...(included && { included }) };
      return boundedResponse(list);
    },
    createPool: async ({ caller, body, idempotent }) =>
      presentPool(
        await idempotent((idempotency) => createPool(deps, caller, createInput(body), idempotency)),
      ),
    getPool: async ({ caller, path, query }) => {
      const pool = await getPool(deps, caller, { poolId: path.pool_id });
      const wanted = { isIncluded: query.include !== undefined, isWithin: query.include_machines };
      if (!wanted.isIncluded && !wanted.isWithin) return presentPool(pool);
      return presentPoolDetail(caller, pool, await membersOf(caller, pool), wanted);
    },
    updatePool: async ({ caller, path, body, idempotent }) =>
      presentPool(
        await idempotent((idempotency) =>
          updatePool(deps, caller, updateInput(path.pool_id, body), idempotency),
        ),
      ),
    deletePool: ({ caller, path, idempotent }) =>
      idempotent((idempotency) => deletePool(deps, caller, { poolId: path.pool_id }, idempotency)),
    addMachinesToPool: async ({ caller, path, body, idempotent }) => {
      const input = { poolId: path.pool_id, machineIds: body.machine_ids };
      const written = await idempotent((idempotency) => addMachines(deps, caller, input, idempotency));
      // Read again, so that the number matches the machines beside it; on a retry the pool may be gone.
      const pool = (await deps.pools.find(caller.organizationId, written.id)) ?? written;
      const wanted = { isIncluded: true, isWithin: true };
      return presentPoolDetail(caller, pool, await membersOf(caller, pool), wanted);
    },
    removeMachinesFromPool: ({ caller, path, body, idempotent }) => {
      const input = { poolId: path.pool_id, machineIds: body.machine_ids };
      return idempotent((idempotency) => removeMachines(deps, caller, input, idempotency));
    },
  });
  return app;
}
