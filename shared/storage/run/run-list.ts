import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Run } from "../../domain/run/run.ts";
import type { HeavyField, RunFilter } from "../../domain/run/run-store.ts";
import { listEntities } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { filterPartitions, listPartitions } from "../table/keys.ts";
import { createdWithin, queryItems, type Rows } from "../table/query.ts";
import { searchedText } from "../table/spilled-attributes.ts";
import { lightAttributes, parseRun, runRow } from "./run-item.ts";

const heavyAttributes: Readonly<Record<HeavyField, string>> = {
  outputData: "output_data",
  runMessageHistory: "run_message_history",
};

const filteredAttributes = ["workflow_id", "machine_id", "session_id", "status", "deleted_at"] as const;
const searchedAttributes = ["input_values", "output_data", "error", "session_alias"] as const;

/**
 * Lists runs, newest first.
 *
 * One index serves a single filter with or without a time range. For more than one, or a `search`, the rows of the
 * narrowest index are read, at most `rowsMax`, and filtered one by one.
 *
 * @throws {DomainError} `search_too_broad`
 */
export async function queryRuns(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: RunFilter,
  page: PageRequest,
  heavy: readonly HeavyField[],
  rowsMax: number,
): Promise<Page<Run>> {
  const { search, createdAtFrom, createdAtTo, ...indexed } = filter;
  const filters = Object.values(indexed).filter((value) => value !== undefined).length;
  const isServed = search === undefined && filters <= 1;
  const isWhole = isServed && filters === 0 && createdAtFrom === undefined && createdAtTo === undefined;
  const looked = search === undefined ? [] : searchedAttributes;
  return await listEntities(
    table,
    {
      organizationId,
      rows: indexRows(organizationId, filter),
      counted: isWhole ? "RUN" : undefined,
      attributes: [...lightAttributes(), ...heavy.map((field) => heavyAttributes[field])],
      parse: parseRun,
      isLiving: (run) => run.deletedAt === null,
      search: isServed
        ? undefined
        : {
            attributes: [...filteredAttributes, ...looked],
            isMatch: (item) => isMatch(item, filter),
            rowsMax,
            noun: "runs",
          },
    },
    page,
  );
}

const waitingPerPage = 1_000;
const waitingRun = runRow.pick("id", "workflowId");

export async function queryWaiting(table: DynamoTable, organizationId: OrganizationId, after: string | null) {
  const partition = filterPartitions.runsByStatus(organizationId, "scheduling");
  const rows = { index: "filter4", partition, ...(after !== null && { from: after }) } as const;
  const keys = await queryItems(table, rows, waitingPerPage);
  const items = await table.batchGet(
    keys.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
    waitingRun.attributes(),
  );
  // Nothing sorts between a key of this length and this one.
  const position = keys.length < waitingPerPage ? null : `${keys.at(-1)?.filter4_sk}~`;
  return { runs: items.map(waitingRun.parse), position };
}

/** The filter that usually leaves the fewest rows. */
function indexRows(organizationId: OrganizationId, filter: RunFilter): Rows {
  const bounds = { ...createdWithin(filter), isDescending: true };
  const { sessionId, machineId, workflowId, status } = filter;
  const partitions = filterPartitions;
  if (sessionId !== undefined)
    return { index: "filter3", partition: partitions.runsBySession(organizationId, sessionId), ...bounds };
  if (machineId !== undefined)
    return { index: "filter2", partition: partitions.runsByMachine(organizationId, machineId), ...bounds };
  if (workflowId !== undefined)
    return { index: "filter1", partition: partitions.runsByWorkflow(organizationId, workflowId), ...bounds };
  if (status !== undefined)
    return { index: "filter4", partition: partitions.runsByStatus(organizationId, status), ...bounds };
  return { index: "list", partition: listPartitions.runs(organizationId), ...bounds };
}

function isMatch(item: Item, filter: RunFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  const wanted = [
    [filter.workflowId, item.workflow_id],
    [filter.machineId, item.machine_id],
    [filter.sessionId, item.session_id],
    [filter.status, item.status],
  ];
  if (wanted.some(([given, value]) => given !== undefined && given !== value)) return false;
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
