import type { Hono } from "hono";
import { machineOperations } from "../../shared/contract/operations/machine-operations.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import { shutDownDriver } from "../../shared/domain/computer/shut-down-driver.ts";
import { deleteMachine } from "../../shared/domain/entity/delete-entity.ts";
import { notFound } from "../../shared/domain/entity/not-found.ts";
import { getEntity, getPage } from "../../shared/domain/entity/read-entities.ts";
import { createMachine } from "../../shared/domain/machine/create-machine.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import type { MachineDeps } from "../../shared/domain/machine/machine-deps.ts";
import { resetMachineSecret } from "../../shared/domain/machine/reset-machine-secret.ts";
import { setMachinePools } from "../../shared/domain/pool/change-members.ts";
import type { PoolDeps } from "../../shared/domain/pool/pool-deps.ts";
import { poolsOfMachines } from "../../shared/domain/pool/pool-members.ts";
import { type UpdateMachineDeps, updateMachine } from "../../shared/domain/reservation/update-machine.ts";
import type { DriverChannel, Requester } from "../../shared/domain/tunnel/driver-channel.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { poolsInOrder } from "../../shared/present/present-machine.ts";
import { presentPool } from "../../shared/present/present-pool.ts";
import { type Include, presentMachines, presentRequestedMachine } from "./present-machine.ts";
import { createInput, machineFilter, updateInput } from "./read-input.ts";

export interface MachinesDeps
  extends HttpDeps,
    Pick<MachineDeps, "machines" | "secrets">,
    Pick<UpdateMachineDeps, "runs" | "sessions" | "waiting">,
    Pick<PoolDeps, "pools" | "memberships"> {
  readonly openChannel: (requester: Requester) => DriverChannel;
}

export function createMachinesApp(deps: MachinesDeps): Hono<HttpEnv> {
  const poolsOf = (caller: Caller, ...machines: readonly Pick<Machine, "poolIds">[]) =>
    poolsOfMachines(deps.pools, caller.organizationId, machines);
  const present = async (caller: Caller, machine: Machine, include?: Include) =>
    presentRequestedMachine(caller, machine, await poolsOf(caller, machine), include);

  return createCallersApp(deps, machineOperations, {
    listMachines: async ({ caller, query }) => {
      const page = await getPage(deps.machines, caller, machineFilter(query), query);
      return presentMachines(caller, page, await poolsOf(caller, ...page.items), query, query.include);
    },
    createMachine: async ({ caller, body, write, tagged }) =>
      tagged(await write(createMachine, createInput(body)), (machine) => present(caller, machine)),
    getMachine: async ({ caller, path, query, tagged }) =>
      tagged(await getEntity(deps.machines, caller, "machine", path.machine_id), (machine) =>
        present(caller, machine, query.include),
      ),
    updateMachine: async ({ caller, path, body, ifEdition, write, tagged }) =>
      tagged(await write(updateMachine, { ...updateInput(path.machine_id, body), ifEdition }), (machine) =>
        present(caller, machine),
      ),
    deleteMachine: ({ path, ifEdition, write }) => write(deleteMachine, { id: path.machine_id, ifEdition }),
    listMachinePools: async ({ caller, path }) => {
      const machine = await getEntity(deps.machines, caller, "machine", path.machine_id);
      return poolsInOrder(machine, await poolsOf(caller, machine)).map(presentPool);
    },
    setMachinePools: async ({ caller, path, body, ifEdition, write }) => {
      const input = { machineId: path.machine_id, poolIds: body.pool_ids, ifEdition };
      const poolIds = await write(setMachinePools, input);
      const machine = await deps.machines.find(caller.organizationId, path.machine_id);
      if (machine === undefined) throw notFound("machine", path.machine_id);
      return present(caller, { ...machine, poolIds });
    },
    resetMachineSecret: async ({ caller, path, write }) =>
      present(caller, await write(resetMachineSecret, { machineId: path.machine_id })),
    shutDownDriver: ({ c, caller, path, body, idempotent }) => {
      const { machines, ids, clock } = deps;
      const driver = { machines, ids, clock, channel: deps.openChannel(c.var) };
      const input = { machineId: path.machine_id, ...body };
      return idempotent((idempotency) => shutDownDriver(driver, caller, input, idempotency));
    },
  });
}
