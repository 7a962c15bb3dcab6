import { DomainError } from "../../domain/errors.ts";
import { hasPairs, type Metadata } from "../../domain/metadata/metadata.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { type Page, type PageRequest, unknownAfter } from "../../domain/page.ts";
import { readCount } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { placeOf } from "../table/index-keys.ts";
import { type Item, type Key, keyOfItem } from "../table/item.ts";
import { type Counted, keyBesideWhich } from "../table/keys.ts";
import { countListed, type ListedRows, queryListed, rowsBehind, sortKeyIn } from "../table/listed-rows.ts";

export interface ListQuestion<Entity> {
  readonly organizationId: OrganizationId;
  /** With a `search` this is the index that leaves the search the fewest rows. */
  readonly rows: ListedRows;
  /** A search reads these too: all are older than `rows`, whose index they are not in. */
  readonly olderRows?: ListedRows | undefined;
  /** The page's keys have another order than the index's. */
  readonly readKeys?: ((page: PageRequest) => Promise<readonly Key[]>) | undefined;
  /** A list without filters reads the total from this counter. */
  readonly counted?: Counted | undefined;
  readonly readTotal?: () => Promise<number>;
  /** A list leaves heavy fields out. */
  readonly attributes?: readonly string[];
  readonly parse: (item: Item) => Entity;
  /** The indexes are eventually consistent, so a row may be of a deleted entity. */
  readonly isLiving: (entity: Entity) => boolean;
  /** Every row is read for a filter that no index serves. */
  readonly search?: RowSearch | undefined;
  /** A list with this takes `after`. */
  readonly cursor?: Cursor | undefined;
}

interface Cursor {
  readonly keyOf: (id: string) => Key;
  /** The sort key that an item had which is gone; undefined for an id that no item can have had. */
  readonly placeOfGone: (id: string) => string | undefined;
}

export interface RowSearch {
  /** An item may have hundreds of kilobytes. */
  readonly attributes: readonly string[];
  readonly isMatch: (item: Item) => boolean;
  readonly isFirst?: ((item: Item) => boolean) | undefined;
  readonly rowsMax: number;
  /** The plural is for the error's text: `machines`. */
  readonly noun: string;
}

/**
 * Makes one query, a batch read per 100 entities, and one of the total; with `after` one read more.
 *
 * @throws {DomainError} `search_too_broad`
 * @throws {InvalidInput} for an unknown `after`.
 */
export async function listEntities<Entity>(
  table: DynamoTable,
  question: ListQuestion<Entity>,
  page: PageRequest,
): Promise<Page<Entity>> {
  if (question.search) return await searchRows(table, question, question.search, page);
  const [keys, total] = await Promise.all([keysOfPage(table, question, page), totalOf(table, question)]);
  return { items: await readEntities(table, question, keys), total };
}

async function keysOfPage(
  table: DynamoTable,
  { rows, readKeys, cursor }: Pick<ListQuestion<unknown>, "rows" | "readKeys" | "cursor">,
  page: PageRequest,
): Promise<readonly Key[]> {
  if (readKeys) return await readKeys(page);
  const place = await placeBefore(table, cursor, page);
  const found = await queryListed(table, place === undefined ? rows : rowsBehind(rows, place), page);
  return found.map((row) => keyOfListed(row, rows));
}

function keyOfListed(row: Item, { isBeside = false }: Pick<ListedRows, "isBeside">): Key {
  return isBeside ? keyBesideWhich(row) : keyOfItem(row);
}

/** Returns the sort key of the item that `after` names. */
async function placeBefore(
  table: DynamoTable,
  cursor: Cursor | undefined,
  { after }: PageRequest,
): Promise<string | undefined> {
  if (after === undefined || cursor === undefined) return undefined;
  const [item] = await table.batchGet([cursor.keyOf(after)], ["created_at"]);
  const place = item ? placeOf(after, String(item.created_at)) : cursor.placeOfGone(after);
  if (place === undefined) throw unknownAfter(after);
  return place;
}

async function totalOf(
  table: DynamoTable,
  {
    organizationId,
    rows,
    counted,
    readTotal,
  }: Pick<ListQuestion<unknown>, "organizationId" | "rows" | "counted" | "readTotal">,
): Promise<number> {
  if (readTotal) return await readTotal();
  return await (counted ? readCount(table, organizationId, counted) : countListed(table, rows));
}

async function searchRows<Entity>(
  table: DynamoTable,
  question: ListQuestion<Entity>,
  search: RowSearch,
  page: PageRequest,
): Promise<Page<Entity>> {
  const { rowsMax } = search;
  const { olderRows } = question;
  const [rows, place] = await Promise.all([
    placedRows(table, question.rows, rowsMax + 1),
    placeBefore(table, question.cursor, page),
  ]);
  if (olderRows !== undefined) rows.push(...(await placedRows(table, olderRows, rowsMax + 1 - rows.length)));
  if (rows.length > rowsMax) throw searchTooBroad(search);
  const keys = rows.map(({ key }) => key);
  const found = (await table.batchGet(keys, search.attributes)).filter(search.isMatch);
  const { isFirst = () => false } = search;
  const ordered = [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))];
  const isBefore = ({ sortKey }: PlacedRow) => place !== undefined && sortKey >= place;
  const before = new Set(rows.filter(isBefore).map(({ key }) => key.pk));
  const wanted = ordered.filter(({ pk }) => !before.has(String(pk))).slice(page.skip, page.skip + page.limit);
  const items = await readEntities(table, question, wanted.map(keyOfItem));
  return { items, total: found.length };
}

interface PlacedRow {
  readonly key: Key;
  readonly sortKey: string;
}

async function placedRows(table: DynamoTable, listed: ListedRows, limit: number): Promise<PlacedRow[]> {
  if (limit <= 0) return [];
  const rows = await queryListed(table, listed, { skip: 0, limit });
  return rows.map((row) => ({ key: keyOfListed(row, listed), sortKey: sortKeyIn(row, listed) }));
}

export function hasText(item: Item, attributes: readonly string[], search: string | undefined): boolean {
  if (search === undefined) return true;
  const text = search.toLowerCase();
  return attributes.some((attribute) => String(item[attribute]).toLowerCase().includes(text));
}

/** @param item has the attribute `metadata`. */
export function hasMetadata(item: Item, wanted: Metadata | undefined): boolean {
  if (wanted === undefined) return true;
  return hasPairs(item.metadata === undefined ? {} : JSON.parse(String(item.metadata)), wanted);
}

export function searchTooBroad({ rowsMax, noun }: Pick<RowSearch, "rowsMax" | "noun">): DomainError {
  return new DomainError(
    "search_too_broad",
    `the search has to read more than ${rowsMax} ${noun}; narrow it with created_at_from and created_at_to`,
    { details: { [`${noun}_max`]: rowsMax } },
  );
}

async function readEntities<Entity>(
  table: DynamoTable,
  { attributes, parse, isLiving }: ListQuestion<Entity>,
  keys: readonly Key[],
): Promise<Entity[]> {
  const items = await (attributes ? table.batchGet(keys, attributes) : table.batchGet(keys));
  return items.map(parse).filter(isLiving);
}
