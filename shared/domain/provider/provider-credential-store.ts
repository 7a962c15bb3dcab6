import type { ProviderSlot } from "../../vocabulary/providers.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { ProviderCredential } from "./provider-credential.ts";

export interface ProviderCredentialStore {
  find(organizationId: OrganizationId, slot: ProviderSlot): Promise<ProviderCredential | undefined>;
  list(organizationId: OrganizationId): Promise<readonly ProviderCredential[]>;
  /** Stores it and the recorded result in one transaction. Returns false when it has changed since it was read. */
  replace(
    credential: ProviderCredential,
    before: ProviderCredential | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean>;
}
