import type { ApiKey, ApiKeyStore } from "../../../shared/domain/access/api-key.ts";

export class InMemoryApiKeyStore implements ApiKeyStore {
  readonly #rows = new Map<string, ApiKey>();
  readonly #due = new Set<string>();

  async find(keyId: string): Promise<ApiKey | undefined> {
    return structuredClone(this.#rows.get(keyId));
  }

  async create(key: ApiKey): Promise<void> {
    if (this.#rows.has(key.id)) throw new Error("there is a key with this id already");
    this.#rows.set(key.id, structuredClone(key));
  }

  async list(organizationId: string): Promise<readonly ApiKey[]> {
    return [...this.#rows.values()]
      .filter((key) => key.organizationId === organizationId)
      .sort((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? 1 : -1));
  }

  async revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined> {
    const key = this.#rows.get(keyId);
    if (!key || key.revokedAt !== null) return structuredClone(key);
    const revoked = { ...key, revokedAt };
    this.#rows.set(keyId, revoked);
    this.#due.add(keyId);
    return structuredClone(revoked);
  }

  async listRevokedDue(limit: number): Promise<readonly ApiKey[]> {
    return [...this.#rows.values()].filter((key) => this.#due.has(key.id)).slice(0, limit);
  }

  async settleRevoked(keyId: string): Promise<void> {
    this.#due.delete(keyId);
  }
}
