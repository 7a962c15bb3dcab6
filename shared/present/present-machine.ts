import type { Machine as WireMachine } from "../contract/machine.ts";
import type { IncludedMachine } from "../contract/pool.ts";
import type { Caller } from "../domain/access/caller.ts";
import { type Machine, machineStatus } from "../domain/machine/machine.ts";
import type { Pool } from "../domain/pool/pool.ts";
import type { PoolsById } from "../domain/pool/pool-members.ts";
import { presentMachineHeld } from "./present-held.ts";
import { presentPool } from "./present-pool.ts";

/** Each presenter names every field, so that nothing else leaks. */
export function presentMachine(
  { scopes }: Pick<Caller, "scopes">,
  machine: Machine,
  pools: PoolsById,
): Omit<WireMachine, "included"> {
  return {
    id: machine.id,
    fingerprint: scopes.includes("write") ? machine.fingerprint : null,
    key_service_key_id: machine.keyServiceKeyId,
    status: machineStatus(machine),
    is_available: machine.isAvailable,
    alerts_enabled: machine.alertsEnabled,
    created_at: machine.createdAt,
    last_seen: machine.lastSeen,
    name: machine.name,
    version: machine.version,
    hostname: machine.hostname,
    os_info: machine.osInfo,
    programs: [...machine.programs],
    machine_parameters: { ...machine.parameters },
    // Creates own properties under any name, even `__proto__`.
    machine_sensitive_parameters: Object.fromEntries(machine.sensitiveAliases.map((alias) => [alias, alias])),
    metadata: { ...machine.metadata },
    user_id: machine.userId,
    organization_id: machine.organizationId,
    reserved_session_id: machine.reservedSessionId,
    linked_keepalive_machine_id: machine.linkedKeepaliveMachineId,
    physical_server_id: machine.connection?.host ?? null,
    held: presentMachineHeld(machine.held),
    pools: poolsInOrder(machine, pools).map(presentPool),
  };
}

export function presentIncludedMachine(
  caller: Pick<Caller, "scopes">,
  machine: Machine,
  pools: PoolsById,
): IncludedMachine {
  return { type: "machine", ...presentMachine(caller, machine, pools) };
}

export function poolsInOrder(machine: Pick<Machine, "poolIds">, pools: PoolsById): readonly Pool[] {
  return machine.poolIds.map((poolId) => pools.get(poolId)).filter((pool) => pool !== undefined);
}
