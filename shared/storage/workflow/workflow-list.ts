import { DomainError } from "../../domain/errors.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Workflow } from "../../domain/workflow/workflow.ts";
import type { WorkflowFilter } from "../../domain/workflow/workflow-store.ts";
import { hasMetadata, hasText } from "../entity/entity-list.ts";
import { readCount } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { listPartitions } from "../table/index-keys.ts";
import { type Item, type Key, keyOfItem } from "../table/item.ts";
import { taggedRange, tagKey, workflowKey } from "../table/keys.ts";
import { countRows, createdWithin, isWithin, queryItems, queryKeys, type Rows } from "../table/query.ts";
import { readWithin, textBytes } from "./bounded-read.ts";
import { parseWorkflow } from "./workflow-item.ts";

/** A search also reads the prompt. */
const looked = ["id", "name", "created_at", "updated_at", "tag_ids", "metadata", "deleted_at"] as const;

const rowsAtOnce = 200;

/** A search of this many bytes of prompts takes some seconds. */
const searchBytesMax = 100_000_000;

/**
 * Searches, metadata, tags and ranges of changes read rows one by one. @throws {DomainError} `search_too_broad`,
 * `answer_too_large`
 */
export async function queryWorkflows(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: WorkflowFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Workflow>> {
  const { createdAtFrom, createdAtTo, ...others } = filter;
  const rows: Rows = {
    index: "list",
    partition: listPartitions.workflows(organizationId),
    ...createdWithin(filter),
    isDescending: true,
  };
  if (Object.values(others).some((value) => value !== undefined)) {
    return await search(table, organizationId, rows, filter, page, rowsMax);
  }
  const isWhole = createdAtFrom === undefined && createdAtTo === undefined;
  const [keys, total] = await Promise.all([
    queryKeys(table, rows, page),
    isWhole ? readCount(table, organizationId, "WORKFLOW") : countRows(table, rows),
  ]);
  return { items: await readLiving(table, keys), total };
}

async function search(
  table: DynamoTable,
  organizationId: OrganizationId,
  rows: Rows,
  filter: WorkflowFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Workflow>> {
  const keys =
    filter.tagIds === undefined
      ? await queryKeys(table, rows, { skip: 0, limit: rowsMax + 1 })
      : await keysOfTags(table, organizationId, filter.tagIds, rowsMax + 1);
  if (keys.length > rowsMax) throw tooBroad(rowsMax);
  const attributes = filter.search === undefined ? looked : [...looked, "main_prompt"];
  const found: (Key & { readonly order: string })[] = [];
  let bytes = 0;
  for (let start = 0; start < keys.length; start += rowsAtOnce) {
    const items = await table.batchGet(keys.slice(start, start + rowsAtOnce), attributes);
    for (const item of items) {
      bytes += textBytes(item);
      if (!isMatch(item, filter)) continue;
      found.push({ ...keyOfItem(item), order: `${item.created_at} ${item.id}` });
    }
    if (bytes > searchBytesMax) throw tooBroad(rowsMax);
  }
  found.sort((one, other) => (one.order < other.order ? 1 : -1));
  const wanted = found.slice(page.skip, page.skip + page.limit).map(({ pk, sk }) => ({ pk, sk }));
  return { items: await readLiving(table, wanted), total: found.length };
}

/** Returns none when one of the tags does not exist. */
async function keysOfTags(
  table: DynamoTable,
  organizationId: OrganizationId,
  tagIds: readonly string[],
  max: number,
): Promise<readonly Key[]> {
  const tags = await table.batchGet(
    tagIds.map((tagId) => tagKey(organizationId, tagId)),
    ["id", "deleted_at", "workflow_count"],
  );
  const living = tags.filter((tag) => tag.deleted_at === undefined);
  if (living.length < tagIds.length) return [];
  const [fewest] = living.toSorted((one, other) => Number(one.workflow_count) - Number(other.workflow_count));
  if (fewest === undefined) return [];
  const rows = await queryItems(table, { partition: String(fewest.pk), ...taggedRange }, max);
  return rows.map((row) => workflowKey(organizationId, String(row.workflow_id)));
}

async function readLiving(table: DynamoTable, keys: readonly Key[]): Promise<readonly Workflow[]> {
  return (await readWithin(table, keys)).map(parseWorkflow).filter(({ deletedAt }) => deletedAt === null);
}

function isMatch(item: Item, filter: WorkflowFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (!isWithin(item.created_at, filter.createdAtFrom, filter.createdAtTo)) return false;
  if (!isWithin(item.updated_at, filter.updatedAtFrom, filter.updatedAtTo)) return false;
  const tagIds = new Set(item.tag_ids as readonly string[]);
  if (filter.tagIds?.some((tagId) => !tagIds.has(tagId))) return false;
  if (!hasMetadata(item, filter.metadata)) return false;
  return hasText(item, ["id", "name", "main_prompt"], filter.search);
}

function tooBroad(rowsMax: number): DomainError {
  return new DomainError(
    "search_too_broad",
    `the search has to read more than ${rowsMax} workflows, or too much of their prompts; narrow it with created_at_from and created_at_to`,
    { details: { workflows_max: rowsMax } },
  );
}
