import { DomainError } from "../../domain/errors.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { readCount } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { type Item, type Key, keyOfItem } from "../table/item.ts";
import type { Counted } from "../table/keys.ts";
import { countRows, queryKeys, type Rows } from "../table/query.ts";

export interface ListQuestion<Entity> {
  readonly organizationId: OrganizationId;
  /** With a `search` this is the index that leaves the search the fewest rows. */
  readonly rows: Rows;
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

/** Makes one query, a batch read per 100 entities, and one of the total. @throws {DomainError} `search_too_broad` */
export async function listEntities<Entity>(
  table: DynamoTable,
  question: ListQuestion<Entity>,
  page: PageRequest,
): Promise<Page<Entity>> {
  if (question.search) return await searchRows(table, question, question.search, page);
  const { readKeys = (wanted: PageRequest) => queryKeys(table, question.rows, wanted) } = question;
  const [keys, total] = await Promise.all([readKeys(page), totalOf(table, question)]);
  return { items: await readEntities(table, question, keys), total };
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
  return await (counted ? readCount(table, organizationId, counted) : countRows(table, rows));
}

async function searchRows<Entity>(
  table: DynamoTable,
  question: ListQuestion<Entity>,
  search: RowSearch,
  page: PageRequest,
): Promise<Page<Entity>> {
  const { rowsMax } = search;
  const keys = await queryKeys(table, question.rows, { skip: 0, limit: rowsMax + 1 });
  if (keys.length > rowsMax) throw searchTooBroad(search);
  const found = (await table.batchGet(keys, search.attributes)).filter(search.isMatch);
  const { isFirst = () => false } = search;
  const ordered = [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))];
  const wanted = ordered.slice(page.skip, page.skip + page.limit);
  const items = await readEntities(table, question, wanted.map(keyOfItem));
  return { items, total: found.length };
}

export function hasText(item: Item, attributes: readonly string[], search: string | undefined): boolean {
  if (search === undefined) return true;
  const text = search.toLowerCase();
  return attributes.some((attribute) => String(item[attribute]).toLowerCase().includes(text));
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
