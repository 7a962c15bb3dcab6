import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection, DriverFacts } from "../../domain/connection/connection.ts";
import type { Change } from "../table/expression.ts";
import { attributesOf, createdAttributes } from "../table/index-attributes.ts";
import type { Item, Key } from "../table/item.ts";
import {
  connectionKey,
  dueRow,
  dueSortKey,
  filterPartitions,
  listPartitions,
  socketKey,
} from "../table/keys.ts";
import { maybe, nested, oneOf, orNull, row, tenant, text, texts } from "../table/row.ts";

export const connectionRow = row<Connection>("connection", {
  id: text,
  organizationId: tenant,
  machineId: text,
  websocketId: text,
  keyId: text,
  host: text,
  status: oneOf(["pending", "connected", "disconnected"]),
  connectedAt: text,
  disconnectedAt: orNull(text),
  lastPing: text,
  ipAddress: text,
  userAgent: text,
  remotePeerId: text,
  shownSecretDigest: orNull(text),
  supersededAddress: orNull(text),
  facts: nested<DriverFacts>({
    name: maybe(text),
    hostname: maybe(text),
    osInfo: maybe(text),
    version: maybe(text),
    capabilities: maybe(texts),
  }),
  keepaliveForMachineId: orNull(text),
});

export const parseConnection = connectionRow.parse;

const socketRow = row<Pick<Connection, "organizationId"> & { readonly connectionId: string }>("socket", {
  organizationId: tenant,
  connectionId: text,
});

export const parseSocket = socketRow.parse;

/** How long a closed connection is still listed. */
const keptSeconds = 30 * 24 * 3_600;

/**
 * A socket lives 2 hours. Its row never changes, so TTL removes it well after that.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const socketKeptSeconds = 24 * 3_600;

export function connectionItem(connection: Connection): Item & Key {
  const { organizationId, id, connectedAt, keyId, lastPing } = connection;
  const { connectionsByMachine, connectionsByStatus, connectionsByKey } = filterPartitions;
  return {
    ...connectionKey(organizationId, id),
    ...connectionRow.write(connection),
    ...createdAttributes(
      { id, createdAt: connectedAt },
      {
        list: listPartitions.connections(organizationId),
        filter1: connectionsByMachine(organizationId, connection.machineId),
        filter2: connectionsByStatus(organizationId, connection.status),
        filter3: connectionsByKey(keyId),
      },
    ),
    ...dueRow("LIVE", id, lastPing),
  };
}

/** The row that finds a connection by API Gateway's id of its socket. */
export function socketItem({ websocketId, organizationId, id, connectedAt }: Connection): Item & Key {
  return {
    ...socketKey(websocketId),
    ...socketRow.write({ organizationId, connectionId: id }),
    ttl: Math.ceil(Date.parse(connectedAt) / 1_000) + socketKeptSeconds,
  };
}

/** Last seen at `nowMs`; `status` is given for a driver that is greeted, which is connected from then on. */
export function heardAttributes(
  connection: Connection,
  nowMs: number,
  status?: "connected",
  supersededAddress?: string,
): Item {
  const heard = { lastPing: isoTimestamp(nowMs), status, supersededAddress };
  return {
    ...connectionRow.set(heard),
    ...(status && { filter2_pk: filterPartitions.connectionsByStatus(connection.organizationId, status) }),
    due_sk: dueSortKey(nowMs, connection.id),
  };
}

/** Closed: no longer live, removed by TTL after 30 days. */
export function closedChange({ organizationId }: Connection, nowMs: number): Change {
  const status = "disconnected";
  return {
    set: {
      ...connectionRow.set({ status, disconnectedAt: isoTimestamp(nowMs) }),
      filter2_pk: filterPartitions.connectionsByStatus(organizationId, status),
      ttl: Math.ceil(nowMs / 1_000) + keptSeconds,
    },
    remove: attributesOf("filter3", "due"),
  };
}
