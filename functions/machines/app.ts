import type { Hono } from "hono";
import { machineOperations } from "../../shared/contract/operations/machine-operations.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import { shutDownDriver } from "../../shared/domain/computer/shut-down-driver.ts";
import { createMachine } from "../../shared/domain/machine/create-machine.ts";
import { deleteMachine } from "../../shared/domain/machine/delete-machine.ts";
import { getMachine } from "../../shared/domain/machine/get-machine.ts";
import { listMachines } from "../../shared/domain/machine/list-machines.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import { type MachineDeps, machineNotFound } from "../../shared/domain/machine/machine-deps.ts";
import { resetMachineSecret } from "../../shared/domain/machine/reset-machine-secret.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolsOfMachines } from "../../shared/domain/pool/pools-of-machines.ts";
import { setMachinePools } from "../../shared/domain/pool/set-machine-pools.ts";
import { type UpdateMachineDeps, updateMachine } from "../../shared/domain/reservation/update-machine.ts";
import type { DriverChannel, Requester } from "../../shared/domain/tunnel/driver-channel.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { poolsInOrder } from "../../shared/present/present-machine.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { presentMachine, presentMachines } from "./present-machine.ts";
import { createInput, machineFilter, updateInput } from "./read-input.ts";

export interface MachinesDeps
  extends HttpDeps,
    Pick<MachineDeps, "machines" | "secrets">,
    Pick<UpdateMachineDeps, "runs" | "sessions" | "waiting">,
    Pick<PoolDeps, "pools" | "memberships"> {
  readonly openChannel: (requester: Requester) => DriverChannel;
}

export function createMachinesApp(deps: MachinesDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  const poolsOf = (caller: Caller, ...machines: readonly Pick<Machine, "poolIds">[]) =>
    poolsOfMachines(deps.pools, caller.organizationId, machines);

  serveOperations(app, deps, machineOperations, {
    listMachines: async ({ caller, query }) => {
      const page = await listMachines(deps, caller, { filter: machineFilter(query), page: query });
      return presentMachines(caller, page, await poolsOf(caller, ...page.items), query, query.include);
    },
    createMachine: async ({ caller, body, idempotent }) => {
      const machine = await idempotent((idempotency) =>
        createMachine(deps, caller, createInput(body), idempotency),
      );
      return presentMachine(caller, machine, await poolsOf(caller, machine));
    },
    getMachine: async ({ caller, path, query }) => {
      const machine = await getMachine(deps, caller, { machineId: path.machine_id });
      return presentMachine(caller, machine, await poolsOf(caller, machine), query.include);
    },
    updateMachine: async ({ caller, path, body, idempotent }) => {
      const machine = await idempotent((idempotency) =>
        updateMachine(deps, caller, updateInput(path.machine_id, body), idempotency),
      );
      return presentMachine(caller, machine, await poolsOf(caller, machine));
    },
    deleteMachine: ({ caller, path, idempotent }) =>
      idempotent((idempotency) => deleteMachine(deps, caller, { machineId: path.machine_id }, idempotency)),
    listMachinePools: async ({ caller, path }) => {
      const machine = await getMachine(deps, caller, { machineId: path.machine_id });
      return poolsInOrder(machine, await poolsOf(caller, machine)).map(presentPool);
    },
    setMachinePools: async ({ caller, path, body, idempotent }) => {
      const input = { machineId: path.machine_id, poolIds: body.pool_ids };
      const poolIds = await idempotent((idempotency) => setMachinePools(deps, caller, input, idempotency));
      const machine = await deps.machines.find(caller.organizationId, path.machine_id);
      if (machine === undefined) throw machineNotFound(path.machine_id);
      return presentMachine(caller, { ...machine, poolIds }, await poolsOf(caller, { poolIds }));
    },
    resetMachineSecret: async ({ caller, path, idempotent }) => {
      const machine = await idempotent((idempotency) =>
        resetMachineSecret(deps, caller, { machineId: path.machine_id }, idempotency),
      );
      return presentMachine(caller, machine, await poolsOf(caller, machine));
    },
    shutDownDriver: ({ c, caller, path, body, idempotent }) => {
      const { machines, ids, clock } = deps;
      const driver = { machines, ids, clock, channel: deps.openChannel(c.var) };
      const input = { machineId: path.machine_id, ...body };
      return idempotent((idempotency) => shutDownDriver(driver, caller, input, idempotency));
    },
  });
  return app;
}
