import type { OwnScope } from "../../vocabulary/access.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import { limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import { type ApiKey, type ApiKeyStore, last4Of, type MintedApiKey } from "./api-key.ts";
import { type Caller, requireScope } from "./caller.ts";

export const apiKeysMax = 1_000;

export interface CreateApiKeyInput {
  readonly name: string;
  readonly scopes: readonly OwnScope[];
  readonly expiresAt?: string | null;
}

export interface CreateApiKeyDeps {
  readonly apiKeys: Pick<ApiKeyStore, "createOwn" | "count">;
  readonly clock: Pick<Clock, "now">;
  readonly mintApiKey: () => MintedApiKey;
}

export interface NewApiKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** Keys created at the same time may exceed the limit by a few. @throws {InvalidInput} for an expiry in the past */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  caller: Caller,
  { name, scopes, expiresAt = null }: CreateApiKeyInput,
  idempotency?: Idempotency,
): Promise<NewApiKey> {
  requireScope(caller, "admin");
  const { organizationId, userId } = caller;
  const nowMs = deps.clock.now();
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) {
    const error = "expires_at is in the future, or left out for a key that does not expire";
    throw new InvalidInput([valueError(["body", "expires_at"], error, expiresAt)]);
  }
  if ((await deps.apiKeys.count(organizationId)) >= apiKeysMax) throw limitReached("API keys", apiKeysMax);
  const minted = deps.mintApiKey();
  const key: ApiKey = {
    id: minted.id,
    organizationId,
    userId,
    name,
    scopes: [...new Set(scopes)],
    expiresAt,
    secretDigest: minted.digest,
    last4: last4Of(minted),
    createdAt: isoTimestamp(nowMs),
    revokedAt: null,
  };
  const result: NewApiKey = { key, text: minted.text };
  await deps.apiKeys.createOwn(key, { idempotency, result });
  return result;
}
