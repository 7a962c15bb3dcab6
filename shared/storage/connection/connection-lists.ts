import type { Connection } from "../../domain/connection/connection.ts";
import type { ConnectionFilter, LivePlace } from "../../domain/connection/connection-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import { listEntities } from "../entity/entity-list.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import {
  createdRange,
  duePartitions,
  filterPartitions,
  listPartitions,
  placeOfLiveRow,
} from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { connectionKey, machineKey } from "../table/keys.ts";
import { type ListedRows, narrowestIndex } from "../table/listed-rows.ts";
import { queryItems, queryKeys, type Rows } from "../table/query.ts";
import { parseConnection } from "./connection-item.ts";

/** This many rows of a shard are below 1 MB of the index. */
const liveRows = 2_000;

const all = { skip: 0, limit: Number.POSITIVE_INFINITY };

export abstract class ConnectionLists extends DynamoStore {
  /** With both filters the machine's index is read, because few of its connections have another status. */
  async list(
    organizationId: OrganizationId,
    filter: ConnectionFilter,
    page: PageRequest,
  ): Promise<Page<Connection>> {
    const { machineId, status } = filter;
    const isMatch = (item: Item) => isAnyOf(status, item.status);
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: filterRows(organizationId, filter),
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

  async listLive(
    shard: number,
    openedBeforeMs: number,
    position: string | null,
  ): Promise<{ readonly places: readonly LivePlace[]; readonly position: string | null }> {
    const [partition = ""] = duePartitions("LIVE").slice(shard);
    const rows = { index: "due", partition, ...createdRange(undefined, openedBeforeMs - 1) } as const;
    const page = await queryItems(this.table, { ...rows, from: position ?? " " }, liveRows);
    // Nothing sorts between a key of this length and this one.
    const next = page.length < liveRows ? null : `${page.at(-1)?.due_sk}~`;
    return { places: page.map(placeOfLiveRow), position: next };
  }

  async findLive(places: readonly LivePlace[], isConsistent: boolean): Promise<readonly Connection[]> {
    const keys = places.map(({ organizationId, id }) => connectionKey(organizationId, id));
    return parseLive(await this.table.batchGet(keys, undefined, isConsistent));
  }

  /** The pings of a machine's current connection are recorded on the machine. */
  async withLastPings(connections: readonly Connection[]): Promise<readonly Connection[]> {
    const machines = await this.#machinesOf(
      connections.filter(({ status }) => status === "connected"),
      ["connection_id", "connection_last_ping"],
    );
    const byConnection = new Map(machines.map((item) => [item.connection_id, item]));
    return connections.map((connection) => {
      const machine = byConnection.get(connection.id);
      return machine ? lastPingOf(connection, machine) : connection;
    });
  }

  async listByKey(keyId: string): Promise<readonly Connection[]> {
    return await this.#readLive(rowsOfKey(keyId));
  }

  /** The machines name their current connections. */
  async listConnected(organizationId: OrganizationId | undefined): Promise<readonly Connection[]> {
    const live =
      organizationId === undefined
        ? parseLive(await readDue(this.table, "LIVE", { limit: all.limit }))
        : await this.#readLive({
            index: "filter2",
            partition: filterPartitions.connectionsByStatus(organizationId, "connected"),
          });
    const connections = live.filter((connection) => connection.status === "connected");
    const items = await this.#machinesOf(connections, ["connection_id", "deleted_at"]);
    const current = new Set(
      items.filter((item) => item.deleted_at === undefined).map((item) => String(item.connection_id)),
    );
    return connections.filter((connection) => current.has(connection.id));
  }

  async #machinesOf(
    connections: readonly Connection[],
    attributes: readonly string[],
  ): Promise<readonly Item[]> {
    const keys = connections.map(({ organizationId, machineId }) => machineKey(organizationId, machineId));
    return await this.table.batchGet([...new Map(keys.map((key) => [key.pk, key])).values()], attributes);
  }

  async #readLive(rows: Rows): Promise<readonly Connection[]> {
    return parseLive(await this.table.batchGet(await queryKeys(this.table, rows, all)));
  }
}

function filterRows(organizationId: OrganizationId, { machineId, status }: ConnectionFilter): ListedRows {
  return narrowestIndex({
    filter1: valuesOf(machineId)?.map((id) => filterPartitions.connectionsByMachine(organizationId, id)),
    filter2: valuesOf(status)?.map((each) => filterPartitions.connectionsByStatus(organizationId, each)),
    list: [listPartitions.connections(organizationId)],
  });
}

export function lastPingOf(connection: Connection, machine: Item): Connection {
  const lastPing = String(machine.connection_last_ping ?? "");
  return lastPing > connection.lastPing ? { ...connection, lastPing } : connection;
}

export function rowsOfKey(keyId: string): Rows {
  return { index: "filter3", partition: filterPartitions.connectionsByKey(keyId) };
}

function parseLive(items: readonly Item[]): readonly Connection[] {
  return items.map(parseConnection).filter((connection) => connection.status !== "disconnected");
}
