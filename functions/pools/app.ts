import type { Hono } from "hono";
import {
  CreatePoolBody,
  PoolMachinesBody,
  PoolPath,
  PoolQuery,
  PoolsQuery,
  UpdatePoolBody,
} from "../../shared/contract/pool.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import type { MachineStore } from "../../shared/domain/machine/machine-store.ts";
import { addMachines } from "../../shared/domain/pool/add-machines.ts";
import { createPool } from "../../shared/domain/pool/create-pool.ts";
import { deletePool } from "../../shared/domain/pool/delete-pool.ts";
import { getPool } from "../../shared/domain/pool/get-pool.ts";
import { listPools } from "../../shared/domain/pool/list-pools.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolMembers } from "../../shared/domain/pool/pool-members.ts";
import { removeMachines } from "../../shared/domain/pool/remove-machines.ts";
import { updatePool } from "../../shared/domain/pool/update-pool.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentPoolDetail, presentPools } from "./present-pool.ts";
import { createInput, poolFilter, updateInput } from "./read-input.ts";

export interface PoolsDeps extends HttpDeps, Pick<PoolDeps, "pools" | "memberships" | "secrets"> {
  readonly machines: Pick<MachineStore, "findMany">;
}

export function createPoolsApp(deps: PoolsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  app.get("/v1/pools", async (c) => {
    const { query } = await readRequest(c, { query: PoolsQuery });
    const page = await listPools(deps, c.var.caller, { filter: poolFilter(query), page: query });
    return c.json(presentPools(page, query));
  });

  app.post("/v1/pools", async (c) => {
    const { body } = await readRequest(c, { body: CreatePoolBody });
    const work = (idempotency?: Idempotency) =>
      createPool(deps, c.var.caller, createInput(body), idempotency);
    return c.json(presentPool(await idempotent(c, deps, work, "transactional")), 201);
  });

  app.get("/v1/pools/:pool_id", async (c) => {
    const { path, query } = await readRequest(c, { path: PoolPath, query: PoolQuery });
    const { caller } = c.var;
    const pool = await getPool(deps, caller, { poolId: path.pool_id });
    const members =
      query.include === undefined ? undefined : await poolMembers(deps, caller.organizationId, pool.id);
    return c.json(presentPoolDetail(pool, members));
  });

  app.patch("/v1/pools/:pool_id", async (c) => {
    const { path, body } = await readRequest(c, { path: PoolPath, body: UpdatePoolBody });
    const input = updateInput(path.pool_id, body);
    const work = (idempotency?: Idempotency) => updatePool(deps, c.var.caller, input, idempotency);
    return c.json(presentPool(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/pools/:pool_id", async (c) => {
    const { path } = await readRequest(c, { path: PoolPath });
    const work = (idempotency?: Idempotency) =>
      deletePool(deps, c.var.caller, { poolId: path.pool_id, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.post("/v1/pools/:pool_id/machines", async (c) => {
    const { path, body } = await readRequest(c, { path: PoolPath, body: PoolMachinesBody });
    const { organizationId } = c.var.caller;
    const input = { poolId: path.pool_id, machineIds: body.machine_ids };
    const work = (idempotency?: Idempotency) => addMachines(deps, c.var.caller, { ...input, idempotency });
    const written = await idempotent(c, deps, work, "transactional");
    // Read again, so that the number is that of the machines beside it; a repeat may find the pool gone since.
    const pool = (await deps.pools.find(organizationId, written.id)) ?? written;
    return c.json(presentPoolDetail(pool, await poolMembers(deps, organizationId, pool.id)));
  });

  app.delete("/v1/pools/:pool_id/machines", async (c) => {
    const { path, body } = await readRequest(c, { path: PoolPath, body: PoolMachinesBody });
    const input = { poolId: path.pool_id, machineIds: body.machine_ids };
    const work = (idempotency?: Idempotency) => removeMachines(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  return app;
}
