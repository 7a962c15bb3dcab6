import type { Page, PageRequest } from "../page.ts";
import type { ApiKey, ApiKeyStore } from "./api-key.ts";
import { type Caller, requireScope } from "./caller.ts";

export interface ListedApiKey {
  readonly key: ApiKey;
  /** The hour of the last use; null means never. */
  readonly usedAt: string | null;
}

/** Lists the keys that are not revoked, newest first. */
export async function listApiKeys(
  deps: { readonly apiKeys: Pick<ApiKeyStore, "list" | "lastUses"> },
  caller: Caller,
  { skip, limit }: PageRequest,
): Promise<Page<ListedApiKey>> {
  requireScope(caller, "admin");
  // Keys are few, and only reading them shows which are revoked.
  const keys = (await deps.apiKeys.list(caller.organizationId)).filter(({ revokedAt }) => revokedAt === null);
  const page = keys.slice(skip, skip + limit);
  const uses = await deps.apiKeys.lastUses(page.map(({ id }) => id));
  const items = page.map((key) => ({ key, usedAt: uses.get(key.id) ?? null }));
  return { items, total: keys.length };
}
