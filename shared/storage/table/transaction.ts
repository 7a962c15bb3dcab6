import type { FailedConditions } from "./dynamo-failure.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";

type Part = Write | readonly Write[] | undefined;

/** If several parts fail, the first in this order counts. */
export type Parts<Name extends string> = { readonly [Each in Name]?: Part };

interface PartWrite<Name extends string> {
  readonly name: Name;
  readonly place: number;
  readonly write: Write;
}

export function writesOf<Name extends string>(parts: Parts<Name>): readonly PartWrite<Name>[] {
  return (Object.entries(parts) as [Name, Part][]).flatMap(([name, part]) => {
    if (part === undefined) return [];
    const writes: readonly Write[] = "kind" in part ? [part] : part;
    return writes.map((write, place) => ({ name, place, write }));
  });
}

/** DynamoDB guarantees to report one failed condition, not all. */
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

  /** Without `place` any write of the part counts. */
  has(name: Name, place?: number): boolean {
    return this.#find(name, place) !== undefined;
  }

  /** Returns undefined when the condition holds, or there is no item. */
  item(name: Name, place?: number): Item | undefined {
    return this.#find(name, place)?.item;
  }

  #find(name: Name, place: number | undefined) {
    return this.#all.find((each) => each.name === name && (place === undefined || each.place === place));
  }
}

export interface Transacted<Name extends string> {
  /** Undefined means that everything is written. */
  readonly failed: Name | undefined;
  readonly failures: Failures<Name>;
}
