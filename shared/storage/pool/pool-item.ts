import type { JsonObject } from "../../domain/json.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import { createdAttributes, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { poolKey } from "../table/keys.ts";
import { editedFields, json, number, orNull, row, text, texts } from "../table/row.ts";

export const poolRow = row<Pool>("pool", {
  ...editedFields,
  name: text,
  description: text,
  parameters: json<JsonObject>(),
  sensitiveAliases: texts,
  secretName: orNull(text),
  machineCount: number,
  updatedAt: text,
});

export const parsePool = poolRow.parse;

export function poolItem(pool: Pool): Item & Key {
  const { organizationId, id } = pool;
  return {
    ...poolKey(organizationId, id),
    ...poolRow.write(pool),
    ...createdAttributes(pool, { list: listPartitions.pools(organizationId) }),
  };
}
