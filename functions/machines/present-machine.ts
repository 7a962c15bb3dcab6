import type { Machine as WireMachine, MachineList } from "../../shared/contract/machine.ts";
import { type Machine, machineStatus } from "../../shared/domain/machine/machine.ts";
import type { Page, PageRequest } from "../../shared/domain/page.ts";

/** Related resources that the caller asked for. */
export type Include = readonly "pools"[] | undefined;

type Bare = Omit<WireMachine, "included">;

/** Names every field, so that nothing else leaves. */
function presentBare(machine: Machine): Bare {
  return {
    id: machine.id,
    fingerprint: machine.fingerprint,
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
    machine_parameters: { ...machine.parameters },
    machine_sensitive_parameters: aliases(machine.sensitiveAliases),
    user_id: machine.userId,
    organization_id: machine.organizationId,
    reserved_session_id: machine.reservedSessionId,
    linked_keepalive_machine_id: machine.linkedKeepaliveMachineId,
    physical_server_id: machine.connection?.host ?? null,
    // No machine can be in a pool before there are pools.
    pools: [],
  };
}

/** `included` is there when it was asked for, empty or not. */
export function presentMachine(machine: Machine, include?: Include): WireMachine {
  return { ...presentBare(machine), ...(include === undefined ? {} : { included: [] }) };
}

export function presentMachines(page: Page<Machine>, request: PageRequest, include: Include): MachineList {
  return {
    items: page.items.map(presentBare),
    total: page.total,
    skip: request.skip,
    limit: request.limit,
    ...(include === undefined ? {} : { included: [] }),
  };
}

/** Own properties whatever the names, so that one called `__proto__` is one of them. */
function aliases(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}
