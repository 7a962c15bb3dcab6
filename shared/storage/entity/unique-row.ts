import { type Condition, isNew } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";

/** A row that makes a field of an entity unique in its organization; `holder` names the entity that has it. */
export interface UniqueRow {
  readonly item: Item & Key;
  readonly holder: string;
}

/** @param deletedHolder a deleted entity that still has the row, which counts as free. */
export function isFree({ holder }: UniqueRow, deletedHolder: string | undefined): Condition {
  if (deletedHolder === undefined) return isNew;
  return {
    expression: `attribute_not_exists(pk) OR ${holder} = :deleted`,
    values: { deleted: deletedHolder },
  };
}
