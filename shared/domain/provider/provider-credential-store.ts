import type { ProviderSlot } from "../../vocabulary/providers.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { ProviderCredential } from "./provider-credential.ts";

export interface ProviderCredentialStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, slot: ProviderSlot): Promise<ProviderCredential | undefined>;
  /** Every slot that was ever configured: one batch read. */
  list(organizationId: OrganizationId): Promise<readonly ProviderCredential[]>;
  /**
   * Replaces the credential that was read and, given an idempotency record, stores it there as the result, in one
   * transaction. False when it has changed since.
   *
   * @param before undefined when there was none.
   * @throws {AlreadyOnRecord}
   */
  replace(
    credential: ProviderCredential,
    before: ProviderCredential | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean>;
}
