import type { IndexedKey } from "../../domain/metadata/indexed-keys.ts";
import type { Metadata } from "../../domain/metadata/metadata.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import type { IndexName } from "../../vocabulary/table.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { hasValue, put, remove, type Write } from "../table/expression.ts";
import { createdAttributes, createdRange, filterPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { runMetadataKey } from "../table/keys.ts";
import { type ListedRows, queryListed } from "../table/listed-rows.ts";
import { readIndexedKeys } from "./dynamo-indexed-key-store.ts";

type Indexed = Pick<Run, "organizationId" | "id" | "createdAt" | "metadata">;

/** The index of each place: the run's own row has these already. */
const indexes = ["filter1", "filter2", "filter3", "filter4", "list"] as const satisfies readonly IndexName[];

export const hasNoMetadata = hasValue("metadata", null);

export function isWithMetadata({ metadata }: Pick<Run, "metadata">): boolean {
  return Object.keys(metadata).length > 0;
}

/** One row beside the run has it in the index of each key; undefined for a run with none of the keys. */
export function metadataItem(run: Indexed, keys: readonly IndexedKey[]): (Item & Key) | undefined {
  const { organizationId, id, metadata } = run;
  const partitions = keys.flatMap(({ name, place }) => {
    const index = indexes[place];
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (index === undefined || value === undefined) return [];
    return [[index, filterPartitions.runsByMetadata(organizationId, name, value)]];
  });
  if (partitions.length === 0) return undefined;
  return {
    ...runMetadataKey(organizationId, id),
    kind: "run_metadata",
    organization_id: organizationId,
    ...createdAttributes(run, Object.fromEntries(partitions)),
  };
}

export async function newMetadataWrites(table: DynamoTable, runs: readonly Run[]): Promise<readonly Write[]> {
  const withMetadata = runs.filter(isWithMetadata);
  const [first] = withMetadata;
  if (first === undefined) return [];
  const keys = await readIndexedKeys(table, first.organizationId);
  return withMetadata.flatMap((run) => {
    const item = metadataItem(run, keys);
    return item === undefined ? [] : [put(item)];
  });
}

export function metadataWrite(before: Run, after: Run, keys: readonly IndexedKey[]): Write | undefined {
  const item = metadataItem(after, keys);
  return item === undefined ? metadataRemoved(before) : put(item);
}

/** A run with metadata may have a row. */
export function metadataRemoved(run: Run): Write | undefined {
  return isWithMetadata(run) ? remove(runMetadataKey(run.organizationId, run.id)) : undefined;
}

interface RowsByMetadata {
  readonly rows: ListedRows;
  /** Runs created before the key was indexed; undefined if there are none in the range. */
  readonly olderRows: ListedRows | undefined;
}

/**
 * Reads the index of the key that was named first. Returns undefined when none is indexed.
 *
 * @param others are the rows without the index.
 */
export async function rowsByMetadata(
  table: DynamoTable,
  organizationId: OrganizationId,
  wanted: Metadata,
  others: ListedRows,
): Promise<RowsByMetadata | undefined> {
  const keys = await readIndexedKeys(table, organizationId);
  const [first] = keys
    .filter(({ name }) => Object.hasOwn(wanted, name))
    .toSorted((one, other) => (one.indexedFrom < other.indexedFrom ? -1 : 1));
  const index = first && indexes[first.place];
  if (first === undefined || index === undefined) return undefined;
  const partition = filterPartitions.runsByMetadata(organizationId, first.name, wanted[first.name] ?? "");
  const sinceMs = Date.parse(first.indexedFrom);
  const { from: since = "" } = createdRange(sinceMs, undefined);
  const { to: before = "" } = createdRange(undefined, sinceMs - 1);
  const { from = "", to } = others;
  const range = { from: from > since ? from : since, ...(to === undefined ? {} : { to }) };
  const rows = { index, partitions: [partition], isBeside: true, ...range };
  if (from >= since) return { rows, olderRows: undefined };
  const olderRows = { ...others, to: to !== undefined && to < before ? to : before };
  const [newest] = await queryListed(table, olderRows, { skip: 0, limit: 1 });
  return { rows, olderRows: newest === undefined ? undefined : olderRows };
}
