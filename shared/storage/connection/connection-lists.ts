import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type { ConnectionFilter } from "../../domain/connection/connection-store.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { listEntities } from "../entity/entity-list.ts";
import { readDue } from "../table/due-items.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { filterPartitions, listPartitions, machineKey } from "../table/keys.ts";
import { countRows, queryKeys, type Rows } from "../table/query.ts";
import { parseConnection } from "./connection-item.ts";

const all = { skip: 0, limit: Number.POSITIVE_INFINITY };

/** The machine's index serves both filters: few of a machine's connections have another status. */
export async function queryConnections(
  table: DynamoTable,
  organizationId: OrganizationId,
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

function filterRows(organizationId: OrganizationId, { machineId, status }: ConnectionFilter): Rows {
  if (machineId !== undefined) {
    return { index: "filter1", partition: filterPartitions.connectionsByMachine(organizationId, machineId) };
  }
  if (status !== undefined) {
    return { index: "filter2", partition: filterPartitions.connectionsByStatus(organizationId, status) };
  }
  return { index: "list", partition: listPartitions.connections(organizationId) };
}

/** Longest silent first. The entities are read too, since an index is eventually consistent. */
export async function listSilent(
  table: DynamoTable,
  lastPingBeforeMs: number,
  limit: number,
  shard: number | undefined,
): Promise<readonly Connection[]> {
  const due = parseLive(await readDue(table, "LIVE", { untilMs: lastPingBeforeMs - 1, limit, shard }));
  return due.filter((connection) => Date.parse(connection.lastPing) < lastPingBeforeMs);
}

export async function listByKey(table: DynamoTable, keyId: string): Promise<readonly Connection[]> {
  return await readLive(table, rowsOfKey(keyId));
}

export async function countByKey(table: DynamoTable, keyId: string, max: number): Promise<number> {
  return await countRows(table, rowsOfKey(keyId), max);
}

function rowsOfKey(keyId: string): Rows {
  return { index: "filter3", partition: filterPartitions.connectionsByKey(keyId) };
}

/** Reads connections, then their machines, which say whether a connection is their current one. */
export async function listConnected(
  table: DynamoTable,
  organizationId: OrganizationId | undefined,
): Promise<readonly Connection[]> {
  const live =
    organizationId === undefined
      ? parseLive(await readDue(table, "LIVE", { limit: all.limit }))
      : await readLive(table, {
          index: "filter2",
          partition: filterPartitions.connectionsByStatus(organizationId, "connected"),
        });
  const connections = live.filter((connection) => connection.status === "connected");
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

async function readLive(table: DynamoTable, rows: Rows): Promise<readonly Connection[]> {
  return parseLive(await table.batchGet(await queryKeys(table, rows, all)));
}

function parseLive(items: readonly Item[]): readonly Connection[] {
  return items.map(parseConnection).filter((connection) => connection.status !== "disconnected");
}
