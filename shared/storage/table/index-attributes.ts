import type { IndexName } from "../../vocabulary/table.ts";
import type { Item } from "./item.ts";
import { createdSortKey } from "./key-parts.ts";

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

export function attributesOf(...indexes: readonly IndexName[]): readonly string[] {
  return indexes.flatMap((index) => [`${index}_pk`, `${index}_sk`]);
}
