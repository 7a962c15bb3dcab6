import * as z from "zod";
import type { JsonObject } from "../../domain/json.ts";
import { type Machine, machineStatus } from "../../domain/machine/machine.ts";
import type { Change } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, filterPartitions, listPartitions, machineKey } from "../table/keys.ts";

/** Reading a row is parsing it; the index attributes beside these are left out. */
const MachineItem = z.object({
  kind: z.literal("machine"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  fingerprint: z.string(),
  key_service_key_id: z.string().optional(),
  name: z.string(),
  version: z.string(),
  hostname: z.string(),
  os_info: z.string(),
  is_available: z.boolean(),
  alerts_enabled: z.boolean(),
  out_of_service: z.boolean(),
  created_at: z.string(),
  last_seen: z.string(),
  /** JSON text: DynamoDB's own maps nest 32 deep only, and its numbers are not JSON's. */
  parameters: z.string(),
  sensitive_aliases: z.array(z.string()),
  secret_name: z.string().optional(),
  reserved_session_id: z.string().optional(),
  clearing_since: z.string().optional(),
  linked_keepalive_machine_id: z.string().optional(),
  current_run_id: z.string().optional(),
  pool_ids: z.array(z.string()),
  connection_id: z.string().optional(),
  connection_websocket_id: z.string().optional(),
  connection_host: z.string().optional(),
  disconnected_at: z.string().optional(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

export function parseMachine(item: Item): Machine {
  const row = MachineItem.parse(item);
  const { connection_id, connection_websocket_id = "", connection_host = "" } = row;
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    fingerprint: row.fingerprint,
    keyServiceKeyId: row.key_service_key_id ?? "",
    name: row.name,
    version: row.version,
    hostname: row.hostname,
    osInfo: row.os_info,
    isAvailable: row.is_available,
    alertsEnabled: row.alerts_enabled,
    outOfService: row.out_of_service,
    createdAt: row.created_at,
    lastSeen: row.last_seen,
    // Written by `machineItem` or `machineChange` below, never by anyone else.
    parameters: JSON.parse(row.parameters) as JsonObject,
    sensitiveAliases: row.sensitive_aliases,
    secretName: row.secret_name ?? null,
    reservedSessionId: row.reserved_session_id ?? null,
    clearingSince: row.clearing_since ?? null,
    linkedKeepaliveMachineId: row.linked_keepalive_machine_id ?? null,
    currentRunId: row.current_run_id ?? null,
    poolIds: row.pool_ids,
    connection:
      connection_id === undefined
        ? null
        : { id: connection_id, websocketId: connection_websocket_id, host: connection_host },
    disconnectedAt: row.disconnected_at ?? null,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

/** A new machine with all its index rows. */
export function machineItem(machine: Machine): Item & Key {
  const { organizationId } = machine;
  const sortKey = createdSortKey(Date.parse(machine.createdAt), machine.id);
  const errorPartition = filterPartitions.machinesByStatus(organizationId, "error");
  return {
    ...machineKey(organizationId, machine.id),
    kind: "machine",
    id: machine.id,
    organization_id: organizationId,
    user_id: machine.userId,
    fingerprint: machine.fingerprint,
    key_service_key_id: machine.keyServiceKeyId || undefined,
    name: machine.name,
    version: machine.version,
    hostname: machine.hostname,
    os_info: machine.osInfo,
    is_available: machine.isAvailable,
    alerts_enabled: machine.alertsEnabled,
    out_of_service: machine.outOfService,
    created_at: machine.createdAt,
    last_seen: machine.lastSeen,
    parameters: JSON.stringify(machine.parameters),
    sensitive_aliases: machine.sensitiveAliases,
    secret_name: machine.secretName ?? undefined,
    reserved_session_id: machine.reservedSessionId ?? undefined,
    clearing_since: machine.clearingSince ?? undefined,
    linked_keepalive_machine_id: machine.linkedKeepaliveMachineId ?? undefined,
    current_run_id: machine.currentRunId ?? undefined,
    pool_ids: machine.poolIds,
    connection_id: machine.connection?.id,
    connection_websocket_id: machine.connection?.websocketId,
    connection_host: machine.connection?.host,
    disconnected_at: machine.disconnectedAt ?? undefined,
    revision: machine.revision,
    list_pk: listPartitions.machines(organizationId),
    list_sk: sortKey,
    filter1_pk: filterPartitions.machinesByStatus(organizationId, machineStatus(machine)),
    filter1_sk: sortKey,
    filter2_pk: filterPartitions.machinesByName(organizationId, machine.name),
    filter2_sk: sortKey,
    link_pk: filterPartitions.machinesByStatus(
      organizationId,
      machine.connection ? "connected" : "disconnected",
    ),
    error_pk: machine.outOfService ? errorPartition : undefined,
  };
}

type Changeable = Partial<Omit<Machine, "id" | "organizationId" | "createdAt" | "connection" | "deletedAt">>;

/**
 * A change of some fields with their index rows, without reading the machine.
 *
 * The status is derived from two fields that different writers set. So each machine keeps `link_pk`, its partition
 * in the status index as far as its connection goes, and `error_pk` while it is out of service; whoever changes one
 * takes the other from the item.
 */
export function machineChange(organizationId: string, change: Changeable): Change {
  const set: Record<string, unknown> = {
    name: change.name,
    version: change.version,
    hostname: change.hostname,
    os_info: change.osInfo,
    is_available: change.isAvailable,
    alerts_enabled: change.alertsEnabled,
    out_of_service: change.outOfService,
    last_seen: change.lastSeen,
    parameters: change.parameters && JSON.stringify(change.parameters),
    sensitive_aliases: change.sensitiveAliases,
    secret_name: change.secretName,
    reserved_session_id: change.reservedSessionId,
    linked_keepalive_machine_id: change.linkedKeepaliveMachineId,
    key_service_key_id: change.keyServiceKeyId,
  };
  if (change.clearingSince === null) {
    // What else it may have been due for is over: without a run nothing is lost with its connection.
    for (const name of ["clearing_since", "due_pk", "due_sk"]) set[name] = null;
  }
  if (change.name !== undefined)
    set.filter2_pk = filterPartitions.machinesByName(organizationId, change.name);
  const compute: Record<string, string> = {};
  if (change.outOfService === true) {
    const errorPartition = filterPartitions.machinesByStatus(organizationId, "error");
    set.error_pk = errorPartition;
    set.filter1_pk = errorPartition;
  }
  if (change.outOfService === false) {
    set.error_pk = null;
    compute.filter1_pk = "link_pk";
  }
  return { set, compute, add: { revision: 1 } };
}

/** The status index after the machine's connection came or went. */
export function linkChange(organizationId: string, status: "connected" | "disconnected") {
  return {
    compute: { filter1_pk: "if_not_exists(error_pk, :link_pk)", link_pk: ":link_pk" },
    values: { link_pk: filterPartitions.machinesByStatus(organizationId, status) },
  } satisfies Change;
}
