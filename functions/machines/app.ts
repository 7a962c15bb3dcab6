import type { Hono } from "hono";
import { MachinePath } from "../../shared/contract/fields/common.ts";
import {
  CreateMachineBody,
  MachineQuery,
  MachinesQuery,
  SetMachinePoolsBody,
  ShutDownDriverBody,
  UpdateMachineBody,
} from "../../shared/contract/machine.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { createMachine } from "../../shared/domain/machine/create-machine.ts";
import { deleteMachine } from "../../shared/domain/machine/delete-machine.ts";
import { getMachine } from "../../shared/domain/machine/get-machine.ts";
import { listMachines } from "../../shared/domain/machine/list-machines.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import type { MachineDeps } from "../../shared/domain/machine/machine-deps.ts";
import { shutDownDriver } from "../../shared/domain/machine/shut-down-driver.ts";
import { type UpdateMachineDeps, updateMachine } from "../../shared/domain/machine/update-machine.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolsOfMachines } from "../../shared/domain/pool/pools-of-machines.ts";
import { setMachinePools } from "../../shared/domain/pool/set-machine-pools.ts";
import type { Asker, DriverChannel } from "../../shared/domain/tunnel/driver-channel.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { poolsInOrder } from "../../shared/present/present-machine.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentMachine, presentMachines } from "./present-machine.ts";
import { createInput, machineFilter, updateInput } from "./read-input.ts";

export interface MachinesDeps
  extends HttpDeps,
    Pick<MachineDeps, "machines" | "secrets">,
    Pick<UpdateMachineDeps, "runs" | "sessions" | "waiting">,
    Pick<PoolDeps, "pools" | "memberships"> {
  /** A channel a request: its mailbox is its own. */
  readonly openChannel: (asker: Asker) => DriverChannel;
}

export function createMachinesApp(deps: MachinesDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  const poolsOf = (c: HttpContext, machine: Pick<Machine, "poolIds">) =>
    poolsOfMachines(deps.pools, c.var.caller.organizationId, [machine]);

  app.get("/v1/machines", async (c) => {
    const { query } = await readRequest(c, { query: MachinesQuery });
    const { caller } = c.var;
    const page = await listMachines(deps, caller, { filter: machineFilter(query), page: query });
    const pools = await poolsOfMachines(deps.pools, caller.organizationId, page.items);
    return c.json(presentMachines(page, pools, query, query.include));
  });

  app.post("/v1/machines", async (c) => {
    const { body } = await readRequest(c, { body: CreateMachineBody });
    const work = (idempotency?: Idempotency) =>
      createMachine(deps, c.var.caller, createInput(body), idempotency);
    const machine = await idempotent(c, deps, work, "transactional");
    return c.json(presentMachine(machine, await poolsOf(c, machine)), 201);
  });

  app.get("/v1/machines/:machine_id", async (c) => {
    const { path, query } = await readRequest(c, { path: MachinePath, query: MachineQuery });
    const machine = await getMachine(deps, c.var.caller, { machineId: path.machine_id });
    return c.json(presentMachine(machine, await poolsOf(c, machine), query.include));
  });

  app.patch("/v1/machines/:machine_id", async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: UpdateMachineBody });
    const input = updateInput(path.machine_id, body);
    const work = (idempotency?: Idempotency) => updateMachine(deps, c.var.caller, input, idempotency);
    const machine = await idempotent(c, deps, work, "transactional");
    return c.json(presentMachine(machine, await poolsOf(c, machine)));
  });

  app.delete("/v1/machines/:machine_id", async (c) => {
    const { path } = await readRequest(c, { path: MachinePath });
    const work = (idempotency?: Idempotency) =>
      deleteMachine(deps, c.var.caller, { machineId: path.machine_id, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.get("/v1/machines/:machine_id/pools", async (c) => {
    const { path } = await readRequest(c, { path: MachinePath });
    const machine = await getMachine(deps, c.var.caller, { machineId: path.machine_id });
    return c.json(poolsInOrder(machine, await poolsOf(c, machine)).map(presentPool));
  });

  app.put("/v1/machines/:machine_id/pools", async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: SetMachinePoolsBody });
    const input = { machineId: path.machine_id, poolIds: body.pool_ids };
    const work = (idempotency?: Idempotency) =>
      setMachinePools(deps, c.var.caller, { ...input, idempotency });
    const poolIds = await idempotent(c, deps, work, "transactional");
    return c.json(poolsInOrder({ poolIds }, await poolsOf(c, { poolIds })).map(presentPool));
  });

  app.post("/v1/machines/:machine_id/driver/shutdown", async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: ShutDownDriverBody });
    const input = { machineId: path.machine_id, ...body };
    const { machines, ids } = deps;
    const channel = deps.openChannel(c.var);
    const work = (idempotency?: Idempotency) =>
      shutDownDriver({ machines, ids, channel }, c.var.caller, { ...input, idempotency });
    return c.json(await idempotent(c, deps, work, "leased"));
  });

  return app;
}
