import { type Machine, machineStatus } from "../../domain/machine/machine.ts";
import type { MachineFilter } from "../../domain/machine/machine-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { hasText, listEntities } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { createdWithin, type Rows } from "../table/query.ts";
import { parseMachine } from "./machine-item.ts";

/** A search reads only these: the parameters alone may be 64 KB. */
const searched = ["id", "name", "hostname", "out_of_service", "connection_id", "deleted_at"] as const;

/** With a `search`, or a name and a status, rows are read one by one. @throws {DomainError} `search_too_broad` */
export async function queryMachines(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: MachineFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Machine>> {
  const isServed = filter.search === undefined && (filter.name === undefined || filter.status === undefined);
  const question = {
    organizationId,
    rows: indexRows(organizationId, filter),
    counted: isUnfiltered(filter) ? ("MACHINE" as const) : undefined,
    parse: parseMachine,
    isLiving: (machine: Machine) => machine.deletedAt === null,
    search: isServed
      ? undefined
      : { attributes: searched, isMatch: (item: Item) => isMatch(item, filter), rowsMax, noun: "machines" },
  };
  return await listEntities(table, question, page);
}

function indexRows(organizationId: OrganizationId, filter: MachineFilter): Rows {
  const bounds = { ...createdWithin(filter), isDescending: true };
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
  return hasText(item, ["id", "name", "hostname"], filter.search);
}

function statusOf(item: Item) {
  const connection = item.connection_id === undefined ? null : { id: "", websocketId: "", host: "" };
  return machineStatus({ outOfService: item.out_of_service === true, connection });
}
