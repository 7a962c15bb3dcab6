import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { type Attributes, compareTexts, itemBytes, ValidationException } from "./attribute-values.ts";

export const indexNames = ["list", "filter1", "filter2", "filter3", "filter4", "due"] as const;
export type IndexName = (typeof indexNames)[number];

const indexKeys = indexNames.map((index) => ({ index, pk: `${index}_pk`, sk: `${index}_sk` }));
const keyNames = ["pk", "sk", ...indexKeys.flatMap(({ pk, sk }) => [pk, sk])];

interface Entry {
  readonly sortKey: string;
  readonly id: string;
  readonly item: Attributes;
}

export interface Page {
  readonly items: readonly Attributes[];
  readonly lastKey: Attributes | undefined;
}

export interface PageRequest {
  readonly index: IndexName | undefined;
  readonly partition: string;
  readonly isDescending: boolean;
  readonly start: Attributes | undefined;
  readonly limit: number;
  readonly isWanted: (item: Attributes) => boolean;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const pageBytesMax = 2 ** 20;
/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const itemBytesMax = 400 * 1024;

/** The items of the table and the entries of its indexes, which may lag behind. */
export class StoredItems {
  readonly #items = new Map<string, Attributes>();
  readonly #partitions = new Map<string, Map<string, Entry>>();
  readonly #lagging: { readonly before: Attributes | undefined; readonly after: Attributes | undefined }[] =
    [];
  readonly #isLagging: boolean;

  /** @param options.isLagging indexes see a change once `catchUp` is called. */
  constructor(options: { readonly isLagging: boolean }) {
    this.#isLagging = options.isLagging;
  }

  all(): Iterable<Attributes> {
    return this.#items.values();
  }

  get(key: Attributes): Attributes | undefined {
    return this.#items.get(idOf(key));
  }

  /** Throws, before anything is changed, for an item that DynamoDB would refuse. */
  check(item: Attributes): void {
    if (itemBytes(item) > itemBytesMax) throw new ValidationException("an item above 400 KB");
    for (const name of keyNames) {
      const value = item[name];
      const isNeeded = name === "pk" || name === "sk";
      if (value === undefined ? isNeeded : value.S === undefined || value.S === "") {
        throw new ValidationException(`${name} is no text of one character or more`);
      }
    }
  }

  replace(before: Attributes | undefined, after: Attributes | undefined): void {
    if (before) {
      this.#items.delete(idOf(before));
      this.#entriesOf(undefined, text(before.pk)).delete(idOf(before));
    }
    if (after) {
      this.#items.set(idOf(after), after);
      const id = idOf(after);
      this.#entriesOf(undefined, text(after.pk)).set(id, { sortKey: text(after.sk), id, item: after });
    }
    this.#lagging.push({ before, after });
    if (!this.#isLagging) this.catchUp();
  }

  /** Shows the indexes the oldest changes that they have not seen. */
  catchUp(changes = Number.POSITIVE_INFINITY): void {
    for (const { before, after } of this.#lagging.splice(0, Math.min(changes, this.#lagging.length))) {
      for (const { index, pk, sk } of indexKeys) {
        if (before?.[pk] && before[sk]) this.#entriesOf(index, text(before[pk])).delete(idOf(before));
        if (!after?.[pk] || !after[sk]) continue;
        const id = idOf(after);
        const item = keysOf(index, after);
        this.#entriesOf(index, text(after[pk])).set(id, { sortKey: text(after[sk]), id, item });
      }
    }
  }

  page({ index, partition, isDescending, start, limit, isWanted }: PageRequest): Page {
    const sortName = index === undefined ? "sk" : `${index}_sk`;
    const entries = [...this.#entriesOf(index, partition).values()].sort(byPlace);
    if (isDescending) entries.reverse();
    const from = start && { sortKey: text(start[sortName]), id: idOf(start) };
    const rest = from
      ? entries.filter((entry) => (isDescending ? byPlace(entry, from) < 0 : byPlace(entry, from) > 0))
      : entries;
    const items: Attributes[] = [];
    let seen = 0;
    let bytes = 0;
    for (const { item } of rest) {
      if (!isWanted(item)) continue;
      items.push(item);
      seen += 1;
      bytes += itemBytes(item);
      if (seen >= limit || bytes > pageBytesMax) return { items, lastKey: keysOf(index, item) };
    }
    return { items, lastKey: undefined };
  }

  #entriesOf(index: IndexName | undefined, partition: string): Map<string, Entry> {
    const name = `${index ?? ""} ${partition}`;
    const entries = this.#partitions.get(name) ?? new Map<string, Entry>();
    this.#partitions.set(name, entries);
    return entries;
  }
}

function keysOf(index: IndexName | undefined, item: Attributes): Attributes {
  const names = ["pk", "sk", ...(index === undefined ? [] : [`${index}_pk`, `${index}_sk`])];
  const keys: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = item[name];
    if (value) keys[name] = value;
  }
  return keys;
}

function byPlace(left: Pick<Entry, "sortKey" | "id">, right: Pick<Entry, "sortKey" | "id">): number {
  return compareTexts(left.sortKey, right.sortKey) || compareTexts(left.id, right.id);
}

export function idOf(key: Attributes): string {
  return `${text(key.pk)} ${text(key.sk)}`;
}

export function text(value: AttributeValue | undefined): string {
  if (value?.S === undefined) throw new ValidationException("a part of a key is no text");
  return value.S;
}
