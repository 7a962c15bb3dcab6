import { hasPairs } from "../../domain/metadata/metadata.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import type { Run } from "../../domain/run/run.ts";
import type { HeavyField, RunFilter, RunListOptions } from "../../domain/run/run-store.ts";
import {
  activeRunStatuses,
  type RunStatus,
  runStatuses,
  terminalRunStatuses,
} from "../../vocabulary/runs.ts";
import { hasMetadata, listEntities, searchTooBroad } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { filterPartitions, listPartitions, placeOfId } from "../table/index-keys.ts";
import { type Item, type Key, keyOfItem } from "../table/item.ts";
import { runKey } from "../table/keys.ts";
import { type ListedRows, narrowestIndex, queryListed } from "../table/listed-rows.ts";
import { createdWithin, queryItems } from "../table/query.ts";
import { searchedText } from "../table/spilled-attributes.ts";
import { lightAttributes, parseRun, runRow } from "./run-item.ts";
import { rowsByMetadata } from "./run-metadata.ts";

const heavyAttributes: Readonly<Record<HeavyField, string>> = {
  outputData: "output_data",
  runMessageHistory: "run_message_history",
};

const filteredAttributes = [
  "workflow_id",
  "machine_id",
  "session_id",
  "status",
  "held",
  "metadata",
  "deleted_at",
] as const;
const searchedAttributes = ["input_values", "output_data", "error", "session_alias"] as const;

/**
 * More than one filter, or a `search`, reads the narrowest index row by row. @throws {DomainError} `search_too_broad`
 */
export async function queryRuns(
  table: DynamoTable,
  organizationId: OrganizationId,
  given: RunFilter,
  page: PageRequest,
  { heavy = [], sortMode }: RunListOptions,
  rowsMax: number,
): Promise<Page<Run>> {
  // Only running runs are held, of which there are few.
  const { waitingForPerson } = given;
  const filter: RunFilter =
    waitingForPerson === true && given.status === undefined ? { ...given, status: "running" } : given;
  const { search, metadata, createdAtFrom, createdAtTo, waitingForPerson: _held, ...indexed } = filter;
  const filters = Object.values(indexed).filter((value) => value !== undefined).length;
  const statuses = valuesOf(filter.status);
  // A list of one status has only active runs, or none.
  const isActiveFirst = sortMode === "active_first" && statuses?.length !== 1;
  const others = indexRows(organizationId, filter);
  // A session has few runs.
  const byMetadata =
    metadata === undefined || filter.sessionId !== undefined
      ? undefined
      : await rowsByMetadata(table, organizationId, metadata, others);
  // Active runs are read by their status, so that it is no filter beside it.
  const servedFilters = isActiveFirst && statuses === undefined ? 0 : 1;
  const pairs = Object.keys(metadata ?? {}).length;
  const isIndexed = pairs === 0 || (byMetadata !== undefined && byMetadata.olderRows === undefined);
  const isServed =
    search === undefined && waitingForPerson === undefined && isIndexed && filters + pairs <= servedFilters;
  const isWhole =
    isServed && filters + pairs === 0 && createdAtFrom === undefined && createdAtTo === undefined;
  const looked = search === undefined ? [] : searchedAttributes;
  return await listEntities(
    table,
    {
      organizationId,
      rows: byMetadata?.rows ?? others,
      olderRows: byMetadata?.olderRows,
      readKeys: isActiveFirst
        ? (wanted) => activeFirst(table, organizationId, filter, wanted, rowsMax)
        : undefined,
      counted: isWhole ? "RUN" : undefined,
      attributes: [...lightAttributes(), ...heavy.map((field) => heavyAttributes[field])],
      parse: parseRun,
      isLiving: (run) => run.deletedAt === null && hasPairs(run.metadata, metadata ?? {}),
      cursor: { keyOf: (id) => runKey(organizationId, id), placeOfGone: placeOfId },
      search: isServed
        ? undefined
        : {
            attributes: [...filteredAttributes, ...looked],
            isMatch: (item) => isMatch(item, filter),
            isFirst: isActiveFirst
              ? (item) => activeRunStatuses.some((status) => status === item.status)
              : undefined,
            rowsMax,
            noun: "runs",
          },
    },
    page,
  );
}

/** The other statuses are read only if the active ones are not enough. */
async function activeFirst(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: RunFilter,
  { skip, limit }: PageRequest,
  rowsMax: number,
): Promise<readonly Key[]> {
  const end = skip + limit;
  if (skip > rowsMax) throw searchTooBroad({ rowsMax, noun: "runs" });
  const wanted = valuesOf(filter.status) ?? runStatuses;
  const newestOf = async (statuses: readonly RunStatus[], max: number) => {
    const status = wanted.filter((each) => statuses.includes(each));
    return await queryListed(table, indexRows(organizationId, { ...filter, status }), {
      skip: 0,
      limit: max,
    });
  };
  const active = await newestOf(activeRunStatuses, end);
  const others = active.length < end ? await newestOf(terminalRunStatuses, end - active.length) : [];
  return [...active, ...others].slice(skip).map(keyOfItem);
}

const waitingPerPage = 1_000;
const waitingRun = runRow.pick("id", "workflowId");

export async function queryWaiting(table: DynamoTable, organizationId: OrganizationId, after: string | null) {
  const partition = filterPartitions.runsByStatus(organizationId, "scheduling");
  const rows = { index: "filter4", partition, ...(after !== null && { from: after }) } as const;
  const keys = await queryItems(table, rows, waitingPerPage);
  const items = await table.batchGet(keys.map(keyOfItem), waitingRun.attributes());
  // Nothing sorts between a key of this length and this one.
  const position = keys.length < waitingPerPage ? null : `${keys.at(-1)?.filter4_sk}~`;
  return { runs: items.map(waitingRun.parse), position };
}

/** The filters are sorted by the number of rows that they usually leave. */
function indexRows(organizationId: OrganizationId, filter: RunFilter): ListedRows {
  const partitions = filterPartitions;
  const { sessionId, machineId, workflowId, status } = filter;
  const index = narrowestIndex({
    filter3: valuesOf(sessionId)?.map((id) => partitions.runsBySession(organizationId, id)),
    filter2: valuesOf(machineId)?.map((id) => partitions.runsByMachine(organizationId, id)),
    filter1: valuesOf(workflowId)?.map((id) => partitions.runsByWorkflow(organizationId, id)),
    filter4: valuesOf(status)?.map((each) => partitions.runsByStatus(organizationId, each)),
    list: [listPartitions.runs(organizationId)],
  });
  return { ...index, ...createdWithin(filter) };
}

function isMatch(item: Item, filter: RunFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (!isAnyOf(filter.workflowId, item.workflow_id)) return false;
  if (!isAnyOf(filter.machineId, item.machine_id)) return false;
  if (!isAnyOf(filter.sessionId, item.session_id)) return false;
  if (!isAnyOf(filter.status, item.status)) return false;
  if (!hasMetadata(item, filter.metadata)) return false;
  const { waitingForPerson = item.held !== undefined } = filter;
  if (waitingForPerson !== (item.held !== undefined)) return false;
  const search = filter.search?.toLowerCase();
  if (search === undefined) return true;
  const texts = [
    String(item.input_values ?? ""),
    searchedText(item.output_data),
    ...(Array.isArray(item.error) ? item.error.map(String) : []),
    String(item.session_alias ?? ""),
  ];
  return texts.some((text) => text.toLowerCase().includes(search));
}
