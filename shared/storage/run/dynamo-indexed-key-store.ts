import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { IndexedKey, IndexedKeyStore, IndexedKeys } from "../../domain/metadata/indexed-keys.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { hasValue, isNew, put } from "../table/expression.ts";
import { settingKey } from "../table/keys.ts";
import { json, number, row, tenant } from "../table/row.ts";

const indexedKeysRow = row<IndexedKeys>("setting", {
  organizationId: tenant,
  keys: json<IndexedKeys["keys"]>(),
  revision: number,
});

const parseIndexedKeys = indexedKeysRow.parse;

function indexedKeysKey(organizationId: OrganizationId) {
  return settingKey(organizationId, "run_metadata_keys");
}

/** The read is strongly consistent, on which the time from which a key is indexed relies. */
export async function readIndexedKeys(
  table: DynamoTable,
  organizationId: OrganizationId,
): Promise<readonly IndexedKey[]> {
  const item = await table.get(indexedKeysKey(organizationId));
  return item === undefined ? [] : parseIndexedKeys(item).keys;
}

export class DynamoIndexedKeyStore extends IdempotentStore implements IndexedKeyStore {
  async find(organizationId: OrganizationId): Promise<IndexedKeys | undefined> {
    const item = await this.table.get(indexedKeysKey(organizationId));
    return item && parseIndexedKeys(item);
  }

  async replace(
    keys: IndexedKeys,
    before: IndexedKeys | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const item = { ...indexedKeysKey(keys.organizationId), ...indexedKeysRow.write(keys) };
    const condition = before ? hasValue("revision", before.revision) : isNew;
    const { failed } = await this.transact(idempotency, keys.keys, { keys: put(item, condition) });
    return failed === undefined;
  }
}
