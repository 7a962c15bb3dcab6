import { DomainError } from "../domain/errors.ts";
import type { Machine } from "../domain/machine/machine.ts";
import { machineStatus } from "../domain/machine/machine.ts";
import type { MachineFilter } from "../domain/machine/machine-store.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import { readCount } from "./counters.ts";
import { momentRange } from "./created-bounds.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import type { Item, Key } from "./item.ts";
import { createdRange, filterPartitions, listPartitions } from "./keys.ts";
import { parseMachine } from "./machine-item.ts";
import { countRows, queryKeys, type Rows } from "./query.ts";

/** What decides whether a machine is found, and no more: the parameters alone may be 64 KB. */
const searched = ["id", "name", "hostname", "out_of_service", "connection_id", "deleted_at"] as const;

/**
 * Lists machines, newest first.
 *
 * One index serves the whole question unless it has a `search`, or a name and a status: then the rows of the best
 * index are read, at most `rowsMax`, and looked at one by one.
 *
 * The indexes are a moment behind the table: a row whose machine is deleted by now is left out.
 *
 * @throws {DomainError} `search_too_broad`
 */
export async function listMachines(
  table: DynamoTable,
  organizationId: string,
  filter: MachineFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Machine>> {
  const rows = indexRows(organizationId, filter);
  const isServed = filter.search === undefined && (filter.name === undefined || filter.status === undefined);
  if (!isServed) return await search(table, rows, filter, page, rowsMax);
  const [keys, total] = await Promise.all([
    queryKeys(table, rows, page),
    isUnfiltered(filter) ? readCount(table, organizationId, "MACHINE") : countRows(table, rows),
  ]);
  return { items: await readMachines(table, keys), total };
}

async function search(
  table: DynamoTable,
  rows: Rows,
  filter: MachineFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Machine>> {
  const keys = await queryKeys(table, rows, { skip: 0, limit: rowsMax + 1 });
  if (keys.length > rowsMax) {
    throw new DomainError(
      "search_too_broad",
      `the search has to read more than ${rowsMax} machines; narrow it with created_at_from and created_at_to`,
      { details: { machines_max: rowsMax } },
    );
  }
  const found = (await table.batchGet(keys, searched)).filter((item) => isMatch(item, filter));
  const wanted = found.slice(page.skip, page.skip + page.limit);
  const items = await readMachines(
    table,
    wanted.map((item) => ({ pk: String(item.pk), sk: String(item.sk) })),
  );
  return { items, total: found.length };
}

async function readMachines(table: DynamoTable, keys: readonly Key[]): Promise<Machine[]> {
  const machines = (await table.batchGet(keys)).map(parseMachine);
  return machines.filter((machine) => machine.deletedAt === null);
}

function indexRows(organizationId: string, filter: MachineFilter): Rows {
  const { fromMs, toMs } = momentRange(filter.createdAtFrom, filter.createdAtTo);
  const bounds = { ...createdRange(fromMs, toMs), isDescending: true };
  if (filter.name !== undefined) {
    return {
      index: "filter2",
      partition: filterPartitions.machinesByName(organizationId, filter.name),
      ...bounds,
    };
  }
  if (filter.status !== undefined) {
    return {
      index: "filter1",
      partition: filterPartitions.machinesByStatus(organizationId, filter.status),
      ...bounds,
    };
  }
  return { index: "list", partition: listPartitions.machines(organizationId), ...bounds };
}

function isUnfiltered(filter: MachineFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

function isMatch(item: Item, filter: MachineFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (filter.name !== undefined && item.name !== filter.name) return false;
  if (filter.status !== undefined && statusOf(item) !== filter.status) return false;
  const search = filter.search?.toLowerCase();
  if (search === undefined) return true;
  return ["id", "name", "hostname"].some((attribute) =>
    String(item[attribute]).toLowerCase().includes(search),
  );
}

function statusOf(item: Item) {
  const connection = item.connection_id === undefined ? null : { id: "", websocketId: "", host: "" };
  return machineStatus({ outOfService: item.out_of_service === true, connection });
}
