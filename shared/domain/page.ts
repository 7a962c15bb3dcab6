import { InvalidInput, valueError } from "./invalid-input.ts";

/** `skip` counts from 0, and `limit` is 1 to 1,000. */
export interface PageRequest {
  readonly skip: number;
  readonly limit: number;
  /** The page begins behind the item with this id, which may have been deleted since. */
  readonly after?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The total is exact and immediately consistent. */
  readonly total: number;
}

/** Names the parameter as HTTP does, which alone takes it. */
export function unknownAfter(after: string | number): InvalidInput {
  const error =
    "after is the id of the last item of the page before, and nothing in this list has or had this one";
  return new InvalidInput([valueError(["query", "after"], error, String(after))]);
}

/** A filter's value, or several, of which an item has one. */
export type AnyOf<T> = T | readonly T[];

/** Returns undefined for a filter that is not set. */
export function valuesOf<T extends string | number>(filter: AnyOf<T> | undefined): readonly T[] | undefined {
  return filter === undefined ? undefined : ([filter].flat() as readonly T[]);
}

export function isAnyOf(filter: AnyOf<string | number> | undefined, value: unknown): boolean {
  return valuesOf(filter)?.some((wanted) => wanted === value) ?? true;
}

/** Times are ISO 8601, with both ends included. */
export interface CreatedRange {
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

export interface UpdatedRange {
  readonly updatedAtFrom?: string;
  readonly updatedAtTo?: string;
}
