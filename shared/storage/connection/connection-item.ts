import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection, DriverFacts, HandshakeNotes } from "../../domain/connection/connection.ts";
import { connectionStatuses } from "../../vocabulary/machines.ts";
import type { Change } from "../table/expression.ts";
import {
  attributesOf,
  createdAttributes,
  filterPartitions,
  listPartitions,
  liveRow,
} from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { connectionKey, socketKey } from "../table/keys.ts";
import { type Fields, maybe, nested, oneOf, orNull, row, tenant, text, texts } from "../table/row.ts";

const handshakeFields: Fields<HandshakeNotes> = {
  facts: nested<DriverFacts>({
    name: maybe(text),
    hostname: maybe(text),
    osInfo: maybe(text),
    version: maybe(text),
    capabilities: maybe(texts),
    programs: maybe(texts),
  }),
  keepaliveForMachineId: orNull(text),
};

export const connectionRow = row<Omit<Connection, keyof HandshakeNotes>>("connection", {
  id: text,
  organizationId: tenant,
  machineId: text,
  websocketId: text,
  keyId: text,
  host: text,
  status: oneOf(connectionStatuses),
  connectedAt: text,
  disconnectedAt: orNull(text),
  lastPing: text,
  ipAddress: text,
  userAgent: text,
  remotePeerId: text,
  shownSecretDigest: orNull(text),
  supersededAddress: orNull(text),
});

const notNoted: HandshakeNotes = { facts: {}, keepaliveForMachineId: null };

/** The socket's row has the notes of the handshake. */
export function parseConnection(item: Item): Connection {
  return { ...connectionRow.parse(item), ...notNoted };
}

interface Socket extends Pick<Connection, "organizationId"> {
  readonly connectionId: string;
  readonly machineId: string;
  readonly handshake: HandshakeNotes;
}

const socketRow = row<Socket>("socket", {
  organizationId: tenant,
  connectionId: text,
  machineId: text,
  handshake: nested(handshakeFields),
});

export const parseSocket = socketRow.parse;

const keptSeconds = 30 * 24 * 3_600;

/**
 * A socket lives 2 hours, so TTL removes its row well after that.
 *
 * Source:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const socketKeptSeconds = 24 * 3_600;

/** Each KB costs two units in a transaction, so facts that only the hello needs are in the socket's row. */
export function connectionItem(connection: Connection): Item & Key {
  const { organizationId, id, websocketId, connectedAt, keyId, lastPing } = connection;
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
    ...liveRow(id, websocketId, lastPing),
  };
}

export function socketItem(connection: Connection): Item & Key {
  const { websocketId, organizationId, id, machineId, connectedAt } = connection;
  return {
    ...socketKey(websocketId),
    ...socketRow.write({ organizationId, connectionId: id, machineId, handshake: notesOf(connection) }),
    ttl: Math.ceil(Date.parse(connectedAt) / 1_000) + socketKeptSeconds,
  };
}

export function notesOf({ facts, keepaliveForMachineId }: HandshakeNotes): HandshakeNotes {
  return { facts, keepaliveForMachineId };
}

/** A repeated hello must not log the facts again. */
export function withNotes(connection: Connection, notes: HandshakeNotes): Connection {
  const facts = connection.status === "pending" ? notes.facts : {};
  return { ...connection, ...notes, facts };
}

/** Pings are recorded on the machine; the connection's place in `due` stays. */
export function greetedAttributes(
  { organizationId }: Connection,
  nowMs: number,
  supersededAddress: string | undefined,
): Item {
  const status = "connected";
  return {
    ...connectionRow.set({ lastPing: isoTimestamp(nowMs), status, supersededAddress }),
    filter2_pk: filterPartitions.connectionsByStatus(organizationId, status),
  };
}

export function closedChange(
  { organizationId }: Pick<Connection, "organizationId">,
  nowMs: number,
  lastPing: string | undefined,
): Change {
  const status = "disconnected";
  return {
    set: {
      ...connectionRow.set({ status, disconnectedAt: isoTimestamp(nowMs), lastPing }),
      filter2_pk: filterPartitions.connectionsByStatus(organizationId, status),
      ttl: Math.ceil(nowMs / 1_000) + keptSeconds,
    },
    remove: attributesOf("filter3", "due"),
  };
}
