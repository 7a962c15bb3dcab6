import type { ApiKey, ApiKeyStore } from "../domain/access/api-key.ts";
import type { KeyVerifier } from "../domain/access/key-verifier.ts";
import type { Clock } from "../domain/clock.ts";
import { digestSecret, parseApiKey, sameDigest } from "./api-key-text.ts";

export interface CachedKeyVerifierDeps {
  readonly apiKeys: Pick<ApiKeyStore, "find">;
  readonly clock: Pick<Clock, "now">;
}

/** A revoked key is refused everywhere within 30 s. */
const keptMs = 30_000;
const keptMax = 1_000;

/**
 * Caches valid keys, but never their secrets: each text is compared with the digest. Unknown and revoked keys are read
 * each time, so that a new key works at once.
 */
export class CachedKeyVerifier implements KeyVerifier {
  readonly #deps: CachedKeyVerifierDeps;
  readonly #kept = new Map<string, { readonly key: ApiKey; readonly untilMs: number }>();

  constructor(deps: CachedKeyVerifierDeps) {
    this.#deps = deps;
  }

  async verify(text: string): Promise<ApiKey | undefined> {
    const parsed = parseApiKey(text);
    if (!parsed) return undefined;
    const key = await this.#find(parsed.id);
    return key && sameDigest(digestSecret(parsed.secret), key.secretDigest) ? key : undefined;
  }

  /** Undefined when it is unknown or revoked. */
  async #find(keyId: string): Promise<ApiKey | undefined> {
    const nowMs = this.#deps.clock.now();
    const kept = this.#kept.get(keyId);
    if (kept && kept.untilMs > nowMs) return kept.key;
    this.#kept.delete(keyId);
    const key = await this.#deps.apiKeys.find(keyId);
    if (!key || key.revokedAt !== null) return undefined;
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(keyId, { key, untilMs: nowMs + keptMs });
    return key;
  }
}
