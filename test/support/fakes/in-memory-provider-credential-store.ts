import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import { type ProviderSlot, providerSlots } from "../../../shared/domain/provider/covered-providers.ts";
import type { ProviderCredential } from "../../../shared/domain/provider/provider-credential.ts";
import type { ProviderCredentialStore } from "../../../shared/domain/provider/provider-credential-store.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";

export class InMemoryProviderCredentialStore implements ProviderCredentialStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #rows = new Map<string, ProviderCredential>();

  constructor(idempotencyRecords: InMemoryIdempotencyStore) {
    this.#idempotencyRecords = idempotencyRecords;
  }

  async find(organizationId: string, slot: ProviderSlot): Promise<ProviderCredential | undefined> {
    return structuredClone(this.#rows.get(keyOf(organizationId, slot)));
  }

  async list(organizationId: string): Promise<readonly ProviderCredential[]> {
    const found = await Promise.all(providerSlots.map((slot) => this.find(organizationId, slot)));
    return found.filter((credential) => credential !== undefined);
  }

  async replace(
    credential: ProviderCredential,
    before: ProviderCredential | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const key = keyOf(credential.organizationId, credential.slot);
    if (this.#rows.get(key)?.revision !== before?.revision) return false;
    this.#idempotencyRecords.commit(idempotency, { slot: credential.slot, credential });
    this.#rows.set(key, structuredClone(credential));
    return true;
  }
}

function keyOf(organizationId: string, slot: ProviderSlot): string {
  return JSON.stringify([organizationId, slot]);
}
