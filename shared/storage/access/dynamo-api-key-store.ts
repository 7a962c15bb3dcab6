import * as z from "zod";
import { type ApiKey, type ApiKeyStore, isOwnKeyId, type Revocation } from "../../domain/access/api-key.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { ownScopes, type Scope, scopes } from "../../vocabulary/access.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { readDue } from "../table/due-items.ts";
import { isNew, put, remove, update, type Write } from "../table/expression.ts";
import { createdAttributes, dueRow, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { apiKeyKey, keyUseKey, ownApiKeyKey, revocationKey } from "../table/keys.ts";
import { countRows, queryKeys } from "../table/query.ts";
import { kept, maybe, orNull, row, tenant, text } from "../table/row.ts";

const fields = {
  id: text,
  organizationId: tenant,
  userId: text,
  name: text,
  secretDigest: text,
  createdAt: text,
  revokedAt: orNull(text),
  expiresAt: orNull(text),
  last4: orNull(text),
} as const;

const apiKeyRow = row<ApiKey>("api_key", {
  ...fields,
  scopes: kept<readonly Scope[]>(() => z.array(z.enum(scopes))),
});

/** A row with the scope `operator` is refused, whatever wrote it. */
const ownKeyRow = row<ApiKey>("api_key", {
  ...fields,
  scopes: kept<readonly Scope[]>(() => z.array(z.enum(ownScopes))),
});

const useRow = row<{ readonly keyId: string; readonly usedAt: string }>("key_use", {
  keyId: text,
  usedAt: text,
});
const revocationRow = row<Revocation>("key_revocation", {
  keyId: text,
  revokedAt: text,
  organizationId: maybe(tenant),
});

export class DynamoApiKeyStore extends IdempotentStore implements ApiKeyStore {
  async find(keyId: string): Promise<ApiKey | undefined> {
    const item = await this.table.get(keyOf(keyId));
    return item && parseKey(item);
  }

  async create(key: ApiKey): Promise<void> {
    const outcome = await this.table.put(apiKeyItem(key), isNew);
    if (outcome.kind === "written") return;
    const existing = outcome.item && apiKeyRow.parse(outcome.item);
    // A write repeated after a lost response meets the key that it wrote itself.
    if (existing?.secretDigest !== key.secretDigest) throw new Error("there is a key with this id already");
  }

  async createOwn(
    key: ApiKey,
    { idempotency, result }: Parameters<ApiKeyStore["createOwn"]>[1],
  ): Promise<void> {
    const { id: keyId, organizationId, expiresAt } = key;
    const expiry =
      expiresAt === null ? undefined : leave("EXPIRES#KEY", { keyId, organizationId, revokedAt: expiresAt });
    const { failed } = await this.transact(idempotency, result, { key: put(apiKeyItem(key), isNew), expiry });
    if (failed !== undefined) throw new Error("there is a key with this id already");
  }

  async remove(
    key: ApiKey,
    revokedAt: string,
    idempotency?: Parameters<ApiKeyStore["remove"]>[2],
  ): Promise<boolean> {
    const { id: keyId, organizationId } = key;
    const condition = {
      expression: "organization_id = :organization AND attribute_not_exists(revoked_at)",
      values: { organization: organizationId },
    };
    const { failed } = await this.transact(idempotency, null, {
      // The revocation is written first: it says who did it, and stays.
      revocation: leave("REVOKED#KEY", { keyId, organizationId, revokedAt }),
      key: remove(keyOf(keyId), condition),
    });
    return failed === undefined;
  }

  async count(organizationId: OrganizationId): Promise<number> {
    return await countRows(this.table, listOf(organizationId));
  }

  async list(organizationId: OrganizationId): Promise<readonly ApiKey[]> {
    const page = { skip: 0, limit: Number.POSITIVE_INFINITY };
    const keys = await queryKeys(this.table, listOf(organizationId), page);
    return (await this.table.batchGet(keys)).map(parseKey);
  }

  async revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined> {
    const isUnrevoked = { expression: "attribute_exists(pk) AND attribute_not_exists(revoked_at)" };
    await this.table.transact({
      key: update(keyOf(keyId), { set: apiKeyRow.set({ revokedAt }) }, isUnrevoked),
      revocation: leave("REVOKED#KEY", { keyId, revokedAt }),
    });
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

  async listRevocations(limit: number, nowMs: number): Promise<readonly Revocation[]> {
    const listings = await Promise.all([
      readDue(this.table, "REVOKED#KEY", { limit }),
      readDue(this.table, "EXPIRES#KEY", { limit, untilMs: nowMs }),
    ]);
    return listings.flat().map(revocationRow.parse);
  }

  async settleRevocation(keyId: string): Promise<void> {
    await this.table.delete(revocationKey(keyId));
  }
}

function keyOf(keyId: string): Key {
  return isOwnKeyId(keyId) ? ownApiKeyKey(keyId) : apiKeyKey(keyId);
}

/** The key decides, not the id in the row, because a writer of organizations' own keys could put any id into one. */
function parseKey(item: Item): ApiKey {
  return (item.pk === apiKeyKey(String(item.id)).pk ? apiKeyRow : ownKeyRow).parse(item);
}

function listOf(organizationId: OrganizationId) {
  return { index: "list", partition: listPartitions.apiKeys(organizationId), isDescending: true } as const;
}

function leave(listing: "REVOKED#KEY" | "EXPIRES#KEY", revocation: Revocation): Write {
  const { keyId, revokedAt } = revocation;
  return put({
    ...revocationKey(keyId),
    ...revocationRow.write(revocation),
    ...dueRow(listing, keyId, revokedAt),
  });
}

function apiKeyItem(key: ApiKey): Item & Key {
  return {
    ...keyOf(key.id),
    ...apiKeyRow.write(key),
    ...createdAttributes(key, { list: listPartitions.apiKeys(key.organizationId) }),
  };
}
