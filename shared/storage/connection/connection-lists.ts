import type { Connection } from "../../domain/connection/connection.ts";
import type { ConnectionFilter } from "../../domain/connection/connection-store.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { parseConnection } from "./connection-item.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { listEntities } from "../table/entity-list.ts";
import type { Item, Key } from "../table/item.ts";
import {
  createdRange,
  duePartitions,
  filterPartitions,
  listPartitions,
  liveShards,
  machineKey,
} from "../table/keys.ts";
import { queryKeys, type Rows } from "../table/query.ts";

const all = { skip: 0, limit: Number.POSITIVE_INFINITY };

/** A machine's own index serves both filters: of its connections few have another status. */
export async function queryConnections(
  table: DynamoTable,
  organizationId: string,
  filter: ConnectionFilter,
  page: PageRequest,
): Promise<Page<Connection>> {
  const { machineId, status } = filter;
  const isMatch = (item: Item) => item.status === status;
  return await listEntities(
    table,
    {
      organizationId,
      rows: { ...filterRows(organizationId, filter), isDescending: true },
      counted: machineId === undefined && status === undefined ? "CONNECTION" : undefined,
      parse: parseConnection,
      isLiving: () => true,
      search:
        machineId === undefined || status === undefined
          ? undefined
          : { attributes: ["status"], isMatch, rowsMax: 10_000, noun: "connections" },
    },
    page,
  );
}

function filterRows(organizationId: string, { machineId, status }: ConnectionFilter): Rows {
  if (machineId !== undefined) {
    return { index: "filter1", partition: filterPartitions.connectionsByMachine(organizationId, machineId) };
  }
  if (status !== undefined) {
    return { index: "filter2", partition: filterPartitions.connectionsByStatus(organizationId, status) };
  }
  return { index: "list", partition: listPartitions.connections(organizationId) };
}

/** Longest silent first: the eight shards side by side, then the entities, since an index is a moment late. */
export async function listSilent(
  table: DynamoTable,
  lastPingBeforeMs: number,
  limit: number,
): Promise<readonly Connection[]> {
  const range = createdRange(undefined, lastPingBeforeMs - 1);
  const keys = await liveKeys(table, (partition) => ({ index: "due", partition, ...range }), limit);
  const connections = await readLive(table, keys);
  return connections
    .filter((connection) => Date.parse(connection.lastPing) < lastPingBeforeMs)
    .sort((one, other) => (one.lastPing < other.lastPing ? -1 : 1))
    .slice(0, limit);
}

export async function listByKey(table: DynamoTable, keyId: string): Promise<readonly Connection[]> {
  const rows = { index: "filter3", partition: filterPartitions.connectionsByKey(keyId) } as const;
  return await readLive(table, await queryKeys(table, rows, all));
}

/** Connections are asked first, then their machines, which say whether a connection is their current one. */
export async function listConnected(
  table: DynamoTable,
  organizationId: string | undefined,
): Promise<readonly Connection[]> {
  const keys =
    organizationId === undefined
      ? await liveKeys(table, (partition) => ({ index: "due", partition }), Number.POSITIVE_INFINITY)
      : await queryKeys(
          table,
          { index: "filter2", partition: filterPartitions.connectionsByStatus(organizationId, "connected") },
          all,
        );
  const connections = (await readLive(table, keys)).filter((connection) => connection.status === "connected");
  const machines = new Map(
    connections.map((connection) => {
      const key = machineKey(connection.organizationId, connection.machineId);
      return [key.pk, key];
    }),
  );
  const items = await table.batchGet([...machines.values()], ["connection_id", "deleted_at"]);
  const current = new Set(
    items.filter((item) => item.deleted_at === undefined).map((item) => String(item.connection_id)),
  );
  return connections.filter((connection) => current.has(connection.id));
}

async function liveKeys(
  table: DynamoTable,
  rowsOf: (partition: string) => Rows,
  limit: number,
): Promise<readonly Key[]> {
  const shards = Array.from({ length: liveShards }, (_, shard) =>
    queryKeys(table, rowsOf(duePartitions.liveConnections(shard)), { skip: 0, limit }),
  );
  return (await Promise.all(shards)).flat();
}

async function readLive(table: DynamoTable, keys: readonly Key[]): Promise<readonly Connection[]> {
  const connections = (await table.batchGet(keys)).map(parseConnection);
  return connections.filter((connection) => connection.status !== "disconnected");
}
