import type { CallerFacts, CreatedApiKey, ApiKey as WireApiKey } from "../../shared/contract/api-key.ts";
import { uuidOfKeyId } from "../../shared/domain/access/api-key.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { NewApiKey } from "../../shared/domain/access/create-api-key.ts";
import type { ListedApiKey } from "../../shared/domain/access/list-api-keys.ts";

export function presentApiKey({ key, usedAt }: ListedApiKey): WireApiKey {
  return {
    id: uuidOfKeyId(key.id),
    name: key.name,
    scopes: [...key.scopes],
    user_id: key.userId,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: usedAt,
    last4: key.last4,
  };
}

export function presentNewApiKey({ key, text }: NewApiKey): CreatedApiKey {
  return { ...presentApiKey({ key, usedAt: null }), api_key: text };
}

export function presentCaller(caller: Caller): CallerFacts {
  return {
    kind: caller.kind === "session" ? "session" : "api_key",
    organization_id: caller.organizationId,
    user_id: caller.userId,
    api_key_id: caller.keyId === null ? null : uuidOfKeyId(caller.keyId),
    scopes: [...caller.scopes],
  };
}
