import { type Condition, isNew } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";

/** The attribute `holder` names the entity that has the row. */
export interface UniqueRow {
  readonly item: Item & Key;
  readonly holder: string;
}

/** The row of a deleted holder counts as free. */
export function isUnheld({ holder }: UniqueRow, deletedHolder: string | undefined): Condition {
  if (deletedHolder === undefined) return isNew;
  return {
    expression: `attribute_not_exists(pk) OR ${holder} = :deleted`,
    values: { deleted: deletedHolder },
  };
}
