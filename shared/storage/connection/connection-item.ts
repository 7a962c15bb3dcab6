import * as z from "zod";
import type { Connection } from "../../domain/connection/connection.ts";
import type { Item, Key } from "../table/item.ts";
import {
  connectionKey,
  createdSortKey,
  dueRow,
  dueSortKey,
  filterPartitions,
  listPartitions,
  socketKey,
} from "../table/keys.ts";

const ConnectionItem = z.object({
  kind: z.literal("connection"),
  id: z.string(),
  organization_id: z.string(),
  machine_id: z.string(),
  websocket_id: z.string(),
  key_id: z.string(),
  host: z.string(),
  status: z.enum(["pending", "connected", "disconnected"]),
  connected_at: z.string(),
  disconnected_at: z.string().optional(),
  last_ping: z.string(),
  ip_address: z.string(),
  user_agent: z.string(),
  remote_peer_id: z.string(),
  facts: z.object({
    name: z.string().optional(),
    hostname: z.string().optional(),
    os_info: z.string().optional(),
    version: z.string().optional(),
  }),
  keepalive_for_machine_id: z.string().optional(),
});

const SocketItem = z.object({
  kind: z.literal("socket"),
  organization_id: z.string(),
  connection_id: z.string(),
});

/** How long a closed connection can still be listed. */
const keptSeconds = 30 * 24 * 3_600;

/**
 * A socket lives 2 hours; its row is never changed, so it goes by itself well after that.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const socketKeptSeconds = 24 * 3_600;

export function parseConnection(item: Item): Connection {
  const row = ConnectionItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    machineId: row.machine_id,
    websocketId: row.websocket_id,
    keyId: row.key_id,
    host: row.host,
    status: row.status,
    connectedAt: row.connected_at,
    disconnectedAt: row.disconnected_at ?? null,
    lastPing: row.last_ping,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    remotePeerId: row.remote_peer_id,
    facts: {
      ...(row.facts.name === undefined ? {} : { name: row.facts.name }),
      ...(row.facts.hostname === undefined ? {} : { hostname: row.facts.hostname }),
      ...(row.facts.os_info === undefined ? {} : { osInfo: row.facts.os_info }),
      ...(row.facts.version === undefined ? {} : { version: row.facts.version }),
    },
    keepaliveForMachineId: row.keepalive_for_machine_id ?? null,
  };
}

/** A new, live connection with all its index rows. */
export function connectionItem(connection: Connection): Item & Key {
  const { organizationId, id } = connection;
  const sortKey = createdSortKey(Date.parse(connection.connectedAt), id);
  return {
    ...connectionKey(organizationId, id),
    kind: "connection",
    id,
    organization_id: organizationId,
    machine_id: connection.machineId,
    websocket_id: connection.websocketId,
    key_id: connection.keyId,
    host: connection.host,
    status: connection.status,
    connected_at: connection.connectedAt,
    last_ping: connection.lastPing,
    ip_address: connection.ipAddress,
    user_agent: connection.userAgent,
    remote_peer_id: connection.remotePeerId,
    facts: {
      name: connection.facts.name,
      hostname: connection.facts.hostname,
      os_info: connection.facts.osInfo,
      version: connection.facts.version,
    },
    keepalive_for_machine_id: connection.keepaliveForMachineId ?? undefined,
    list_pk: listPartitions.connections(organizationId),
    list_sk: sortKey,
    filter1_pk: filterPartitions.connectionsByMachine(organizationId, connection.machineId),
    filter1_sk: sortKey,
    filter2_pk: filterPartitions.connectionsByStatus(organizationId, connection.status),
    filter2_sk: sortKey,
    filter3_pk: filterPartitions.connectionsByKey(connection.keyId),
    filter3_sk: sortKey,
    ...dueRow("LIVE", id, connection.lastPing),
  };
}

/** The row that finds a connection by what the gateway calls it. */
export function socketItem(connection: Connection): Item & Key {
  return {
    ...socketKey(connection.websocketId),
    kind: "socket",
    organization_id: connection.organizationId,
    connection_id: connection.id,
    ttl: Math.ceil(Date.parse(connection.connectedAt) / 1_000) + socketKeptSeconds,
  };
}

export function parseSocket(item: Item) {
  const { organization_id: organizationId, connection_id: connectionId } = SocketItem.parse(item);
  return { organizationId, connectionId };
}

/** Heard of at that moment. */
export function heardChange(connection: Connection, nowMs: number) {
  return { last_ping: new Date(nowMs).toISOString(), due_sk: dueSortKey(nowMs, connection.id) };
}

/** Closed: no longer live, gone after 30 days. */
export function closedChange(connection: Connection, nowMs: number) {
  const { organizationId } = connection;
  return {
    set: {
      status: "disconnected",
      disconnected_at: new Date(nowMs).toISOString(),
      filter2_pk: filterPartitions.connectionsByStatus(organizationId, "disconnected"),
      ttl: Math.ceil(nowMs / 1_000) + keptSeconds,
    },
    remove: ["filter3_pk", "filter3_sk", "due_pk", "due_sk"],
  };
}
