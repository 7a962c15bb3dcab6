import type { Edit } from "../../domain/entity/edition.ts";
import { type Change, type Condition, isOneOf } from "../table/expression.ts";

/** A row of edition 0 has no attribute, so rows from before there were editions are of edition 0. */
export function withNextEdition(change: Change): Change {
  return { ...change, add: { ...change.add, edition: 1 } };
}

export function hasEdition({ ifEdition }: Edit): Condition | undefined {
  if (ifEdition === undefined) return undefined;
  const isLater = isOneOf(
    "edition",
    ifEdition.filter((edition) => edition !== 0),
  );
  if (!ifEdition.includes(0)) return isLater;
  return { ...isLater, expression: `(attribute_not_exists(edition) OR ${isLater.expression})` };
}
