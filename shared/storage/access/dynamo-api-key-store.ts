import * as z from "zod";
import type { ApiKey, ApiKeyStore, Revocation } from "../../domain/access/api-key.ts";
import { type Scope, scopes } from "../../domain/access/caller.ts";
import type { OrganizationId } from "../../domain/access/organization-id.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { isNew } from "../table/expression.ts";

import { createdAttributes } from "../table/index-attributes.ts";
import type { Item, Key } from "../table/item.ts";
import { apiKeyKey, dueRow, keyUseKey, listPartitions, revocationKey } from "../table/keys.ts";
import { queryKeys } from "../table/query.ts";
import { kept, orNull, row, tenant, text } from "../table/row.ts";

const apiKeyRow = row<ApiKey>("api_key", {
  id: text,
  organizationId: tenant,
  userId: text,
  name: text,
  scopes: kept<readonly Scope[]>(() => z.array(z.enum(scopes))),
  secretDigest: text,
  createdAt: text,
  revokedAt: orNull(text),
});

const useRow = row<{ readonly keyId: string; readonly usedAt: string }>("key_use", {
  keyId: text,
  usedAt: text,
});
const revocationRow = row<Revocation>("key_revocation", { keyId: text, revokedAt: text });

export class DynamoApiKeyStore extends DynamoStore implements ApiKeyStore {
  async find(keyId: string): Promise<ApiKey | undefined> {
    const item = await this.table.get(apiKeyKey(keyId));
    return item && apiKeyRow.parse(item);
  }

  async create(key: ApiKey): Promise<void> {
    const outcome = await this.table.put(apiKeyItem(key), isNew);
    if (outcome.kind === "written") return;
    const existing = outcome.item && apiKeyRow.parse(outcome.item);
    // A write sent again after a lost response meets the key that it wrote itself.
    if (existing?.secretDigest !== key.secretDigest) throw new Error("there is a key with this id already");
  }

  async list(organizationId: OrganizationId): Promise<readonly ApiKey[]> {
    const rows = {
      index: "list",
      partition: listPartitions.apiKeys(organizationId),
      isDescending: true,
    } as const;
    const keys = await queryKeys(this.table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
    return (await this.table.batchGet(keys)).map(apiKeyRow.parse);
  }

  async revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined> {
    const revocation = {
      ...revocationKey(keyId),
      ...revocationRow.write({ keyId, revokedAt }),
      ...dueRow("REVOKED#KEY", keyId, revokedAt),
    };
    await this.table.transact([
      {
        kind: "update",
        key: apiKeyKey(keyId),
        change: { set: apiKeyRow.set({ revokedAt }) },
        condition: { expression: "attribute_exists(pk) AND attribute_not_exists(revoked_at)" },
      },
      { kind: "put", item: revocation },
    ]);
    return await this.find(keyId);
  }

  async noteUse(keyId: string, hour: string): Promise<void> {
    await this.table.update(
      keyUseKey(keyId),
      { set: useRow.write({ keyId, usedAt: hour }) },
      { expression: "attribute_not_exists(used_at) OR used_at < :hour", values: { hour } },
    );
  }

  async lastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const uses = (await this.table.batchGet(keyIds.map(keyUseKey))).map(useRow.parse);
    return new Map(uses.map(({ keyId, usedAt }) => [keyId, usedAt]));
  }

  async listRevocations(limit: number): Promise<readonly Revocation[]> {
    return (await readDue(this.table, "REVOKED#KEY", { limit })).map(revocationRow.parse);
  }

  async settleRevocation(keyId: string): Promise<void> {
    await this.table.delete(revocationKey(keyId));
  }
}

function apiKeyItem(key: ApiKey): Item & Key {
  return {
    ...apiKeyKey(key.id),
    ...apiKeyRow.write(key),
    ...createdAttributes(key, { list: listPartitions.apiKeys(key.organizationId) }),
  };
}
