import { type Attributes, itemBytes } from "../dynamo-model/attribute-values.ts";
import { indexNames } from "../dynamo-model/stored-items.ts";

/** Billed capacity units. */
export interface Capacity {
  readonly reads: number;
  readonly writes: number;
}

/** A call to the table: the operation's name and its input, with the attribute values of the wire. */
export interface TableCall {
  readonly operation: string;
  readonly input: object;
}

/** What DynamoDB looks at and changes for a call. */
export interface Touched {
  /** The items of `keysOf`, in that order. */
  readonly before: readonly (Attributes | undefined)[];
  readonly after: readonly (Attributes | undefined)[];
  /** The items or the rows of an index that a query evaluates. */
  readonly queried: readonly Attributes[];
}

interface WireInput {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly ConsistentRead?: boolean;
  readonly TransactItems?: readonly Readonly<Record<string, WireInput>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Attributes[] } & WireInput>>;
}

/** Keys of the items that a call names, to read or to write them. */
export function keysOf({ input }: TableCall): readonly Attributes[] {
  const { Key, Item, TransactItems = [], RequestItems = {} } = input as WireInput;
  const one = Key ?? Item;
  const some = TransactItems.flatMap((item) => Object.values(item)).map(({ Key, Item }) => Key ?? Item ?? {});
  const many = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys);
  return [...(one ? [one] : []), ...some, ...many].map(({ pk, sk }) => ({
    ...(pk && { pk }),
    ...(sk && { sk }),
  }));
}

/**
 * Computes the billed units from the sizes of items. DynamoDB Local returns the same, but doubles the rows of an index
 * in a transaction, and nothing for a write whose condition fails, which is billed as well.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function capacityOf(call: TableCall, { before, after, queried }: Touched): Capacity {
  const { ConsistentRead, RequestItems = {} } = call.input as WireInput;
  const isConsistent = ConsistentRead ?? Object.values(RequestItems).some((each) => each.ConsistentRead);
  switch (call.operation) {
    case "Query":
      return { reads: readUnits(queried, isConsistent), writes: 0 };
    case "GetItem":
    case "BatchGetItem":
      // Each item is rounded up by itself, and read whole whatever is projected.
      return { reads: sum(before.map((item) => readUnits([item ?? {}], isConsistent))), writes: 0 };
    default: {
      const factor = call.operation === "TransactWriteItems" ? 2 : 1;
      const units = before.map(
        (item, at) => factor * itemUnits(item, after[at]) + indexUnits(item, after[at]),
      );
      return { reads: 0, writes: sum(units) };
    }
  }
}

function readUnits(items: readonly Attributes[], isConsistent: boolean): number {
  return Math.max(Math.ceil(sum(items.map(itemBytes)) / 4_096), 1) / (isConsistent ? 1 : 2);
}

function itemUnits(before: Attributes = {}, after: Attributes = {}): number {
  return Math.max(Math.ceil(Math.max(itemBytes(before), itemBytes(after)) / 1_024), 1);
}

/** Units for index rows of keys alone: a put or a delete is one unit, a changed key is two. */
function indexUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return indexNames
    .map((index) => [before, after].map((item) => rowOf(item, index)))
    .filter(([was, is]) => was !== is)
    .flat()
    .filter((row) => row !== undefined).length;
}

function rowOf(item: Attributes | undefined, index: string): string | undefined {
  const [pk, sk] = [item?.[`${index}_pk`], item?.[`${index}_sk`]];
  return pk && sk && `${pk.S} ${sk.S}`;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
