import type { FailedConditions } from "./dynamo-failure.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";

/** A part of a transaction: one write, several or none. */
type Part = Write | readonly Write[] | undefined;

/** The parts of a transaction by name. Of several that fail, the first in this order is the one that counts. */
export type Parts<Name extends string> = { readonly [Each in Name]?: Part };

interface PartWrite<Name extends string> {
  readonly name: Name;
  /** In its part. */
  readonly place: number;
  readonly write: Write;
}

/** Every write of a transaction, in the order of its parts. */
export function writesOf<Name extends string>(parts: Parts<Name>): readonly PartWrite<Name>[] {
  return (Object.entries(parts) as [Name, Part][]).flatMap(([name, part]) => {
    if (part === undefined) return [];
    const writes: readonly Write[] = "kind" in part ? [part] : part;
    return writes.map((write, place) => ({ name, place, write }));
  });
}

/**
 * The parts of a transaction whose conditions failed, with the items as they are in the table. DynamoDB promises to
 * report one of them, not all.
 */
export class Failures<Name extends string> {
  readonly #all: readonly {
    readonly name: string;
    readonly place: number;
    readonly item: Item | undefined;
  }[];

  constructor(writes: readonly PartWrite<Name>[], failed: FailedConditions) {
    this.#all = writes.flatMap(({ name, place }, index) =>
      failed.has(index) ? [{ name, place, item: failed.get(index) }] : [],
    );
  }

  /** @param place of one write in its part. @default any */
  has(name: Name, place?: number): boolean {
    return this.#find(name, place) !== undefined;
  }

  /** Undefined when the condition holds, or there is no item. */
  item(name: Name, place?: number): Item | undefined {
    return this.#find(name, place)?.item;
  }

  #find(name: Name, place: number | undefined) {
    return this.#all.find((each) => each.name === name && (place === undefined || each.place === place));
  }
}

export interface Transacted<Name extends string> {
  /** The first part whose condition failed; undefined when everything is written. */
  readonly failed: Name | undefined;
  /** Every part of which DynamoDB says so. */
  readonly failures: Failures<Name>;
}
