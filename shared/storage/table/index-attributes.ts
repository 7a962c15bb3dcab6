import type { IndexName } from "../../vocabulary/table.ts";
import type { Item } from "./item.ts";
import { createdSortKey } from "./keys.ts";

/** A new entity's rows in the indexes sorted by creation; none where there is no partition. */
export function createdAttributes(
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
  partitions: { readonly [Index in IndexName]?: string | undefined },
): Item {
  const sortKey = createdSortKey(Date.parse(createdAt), id);
  const rows = Object.entries(partitions).filter(([, partition]) => partition !== undefined);
  return Object.fromEntries(
    rows.flatMap(([index, partition]) => [
      [`${index}_pk`, partition],
      [`${index}_sk`, sortKey],
    ]),
  );
}

/** The attributes to remove for an item to leave the indexes. */
export function attributesOf(...indexes: readonly IndexName[]): readonly string[] {
  return indexes.flatMap((index) => [`${index}_pk`, `${index}_sk`]);
}
