import { type ApiKey, type ApiKeyStore, isUsable } from "../domain/access/api-key.ts";
import type { KeyVerifier } from "../domain/access/credentials.ts";
import type { Clock } from "../domain/clock.ts";
import { digestSecret, parseApiKey, sameDigest } from "./api-key-text.ts";

export interface CachedKeyVerifierDeps {
  readonly apiKeys: Pick<ApiKeyStore, "find" | "noteUse">;
  readonly clock: Pick<Clock, "now">;
}

const keptMs = 30_000;
const keptMax = 1_000;

const hourMs = 3_600_000;

/** Caches only valid keys, and never their secrets, so that a new key works at once. */
export class CachedKeyVerifier implements KeyVerifier {
  readonly #deps: CachedKeyVerifierDeps;
  readonly #kept = new Map<string, { readonly key: ApiKey; readonly untilMs: number }>();
  readonly #noted = new Map<string, number>();

  constructor(deps: CachedKeyVerifierDeps) {
    this.#deps = deps;
  }

  async verify(text: string): Promise<ApiKey | undefined> {
    const parsed = parseApiKey(text);
    if (!parsed) return undefined;
    const key = await this.#find(parsed.id);
    if (!key || !sameDigest(digestSecret(parsed.secret), key.secretDigest)) return undefined;
    await this.#noteUse(key.id);
    return key;
  }

  async #noteUse(keyId: string): Promise<void> {
    const hour = Math.floor(this.#deps.clock.now() / hourMs) * hourMs;
    if (this.#noted.get(keyId) === hour) return;
    if (this.#noted.size >= keptMax) this.#noted.clear();
    this.#noted.set(keyId, hour);
    // A failure does not affect the request: the next hour, or another instance, records the use.
    await this.#deps.apiKeys.noteUse(keyId, new Date(hour).toISOString()).catch(() => undefined);
  }

  async #find(keyId: string): Promise<ApiKey | undefined> {
    const nowMs = this.#deps.clock.now();
    const kept = this.#kept.get(keyId);
    if (kept && kept.untilMs > nowMs && isUsable(kept.key, nowMs)) return kept.key;
    this.#kept.delete(keyId);
    const key = await this.#deps.apiKeys.find(keyId);
    if (!key || !isUsable(key, nowMs)) return undefined;
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(keyId, { key, untilMs: nowMs + keptMs });
    return key;
  }
}
