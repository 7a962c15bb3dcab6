import { type ApiKeyStore, isOwnKeyId, isUsable } from "../../shared/domain/access/api-key.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";

/**
 * An organization's keys are good in the other deployment, too: what lies there of a key is its secret's digest. A key that
 * is there already stays, so this can be repeated. Who operates one deployment operates no other by that.
 *
 * @returns the ids of the keys that were copied.
 */
export async function copyKeys(
  from: Pick<ApiKeyStore, "list">,
  to: Pick<ApiKeyStore, "find" | "create" | "createOwn">,
  organizationId: OrganizationId,
  nowMs: number,
): Promise<readonly string[]> {
  const copied: string[] = [];
  for (const key of await from.list(organizationId)) {
    if (!isUsable(key, nowMs) || key.scopes.includes("operator") || (await to.find(key.id)) !== undefined)
      continue;
    if (isOwnKeyId(key.id)) await to.createOwn(key, { idempotency: undefined, result: null });
    else await to.create(key);
    copied.push(key.id);
  }
  return copied;
}
