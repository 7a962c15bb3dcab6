import type { Ids } from "../../domain/clock.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import { isNew } from "./expression.ts";
import { tableIdKey } from "./keys.ts";
import { row, text } from "./row.ts";

const tableIdRow = row<{ readonly id: string }>("table_id", { id: text });

/** Everything outside of the table carries this id: a restored table has it again, an empty one gets another. */
export async function findTableId(table: DynamoTable): Promise<string | undefined> {
  const item = await table.get(tableIdKey());
  return item && tableIdRow.parse(item).id;
}

/** The sweeper gives a new table its id, in the first minute. */
export async function ownTableId(table: DynamoTable, ids: Ids): Promise<string> {
  const known = await findTableId(table);
  if (known !== undefined) return known;
  await table.put({ ...tableIdKey(), ...tableIdRow.write({ id: ids.uuid7() }) }, isNew);
  const made = await findTableId(table);
  if (made === undefined) throw new Error("the table's id was not written");
  return made;
}

/** The id never changes, so an instance reads it once. */
export function rememberedTableId(table: DynamoTable): () => Promise<string | undefined> {
  let known: string | undefined;
  return async () => {
    known ??= await findTableId(table);
    return known;
  };
}
