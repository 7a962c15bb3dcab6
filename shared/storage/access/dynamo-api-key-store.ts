import * as z from "zod";
import type { ApiKey, ApiKeyStore } from "../../domain/access/api-key.ts";
import { scopes } from "../../domain/access/caller.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item, Key } from "../table/item.ts";
import { apiKeyKey, createdSortKey, dueRow, listPartitions } from "../table/keys.ts";
import { readDue } from "../table/due-items.ts";
import { queryKeys } from "../table/query.ts";

const ApiKeyItem = z.object({
  kind: z.literal("api_key"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  secret_digest: z.string(),
  created_at: z.string(),
  revoked_at: z.string().optional(),
});

export class DynamoApiKeyStore implements ApiKeyStore {
  readonly #table: DynamoTable;

  constructor(table: DynamoTable) {
    this.#table = table;
  }

  async find(keyId: string): Promise<ApiKey | undefined> {
    const item = await this.#table.get(apiKeyKey(keyId));
    return item && parseApiKeyItem(item);
  }

  async create(key: ApiKey): Promise<void> {
    const outcome = await this.#table.put(apiKeyItem(key), { expression: "attribute_not_exists(pk)" });
    if (outcome.kind === "written") return;
    const existing = outcome.item && parseApiKeyItem(outcome.item);
    // An answer was lost and the write sent again: the key in the way is this one.
    if (existing?.secretDigest !== key.secretDigest) throw new Error("there is a key with this id already");
  }

  async list(organizationId: string): Promise<readonly ApiKey[]> {
    const rows = {
      index: "list",
      partition: listPartitions.apiKeys(organizationId),
      isDescending: true,
    } as const;
    const keys = await queryKeys(this.#table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
    return (await this.#table.batchGet(keys)).map(parseApiKeyItem);
  }

  async revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined> {
    const outcome = await this.#table.update(
      apiKeyKey(keyId),
      {
        set: {
          revoked_at: revokedAt,
          ...dueRow("REVOKED#KEY", keyId, revokedAt),
        },
      },
      { expression: "attribute_exists(pk) AND attribute_not_exists(revoked_at)" },
    );
    return outcome.item && parseApiKeyItem(outcome.item);
  }

  async listRevokedDue(limit: number): Promise<readonly ApiKey[]> {
    const items = await readDue(this.#table, "REVOKED#KEY", { limit });
    return items.filter((item) => item.due_pk !== undefined).map(parseApiKeyItem);
  }

  async settleRevoked(keyId: string): Promise<void> {
    await this.#table.update(
      apiKeyKey(keyId),
      { remove: ["due_pk", "due_sk"] },
      { expression: "attribute_exists(pk)" },
    );
  }
}

function apiKeyItem(key: ApiKey): Item & Key {
  return {
    ...apiKeyKey(key.id),
    kind: "api_key",
    id: key.id,
    organization_id: key.organizationId,
    user_id: key.userId,
    name: key.name,
    scopes: key.scopes,
    secret_digest: key.secretDigest,
    created_at: key.createdAt,
    revoked_at: key.revokedAt ?? undefined,
    list_pk: listPartitions.apiKeys(key.organizationId),
    list_sk: createdSortKey(Date.parse(key.createdAt), key.id),
  };
}

function parseApiKeyItem(item: Item): ApiKey {
  const row = ApiKeyItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    name: row.name,
    scopes: row.scopes,
    secretDigest: row.secret_digest,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? null,
  };
}
