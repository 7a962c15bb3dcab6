import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { ProviderSlot } from "./covered-providers.ts";
import type { ProviderCredential } from "./provider-credential.ts";

export interface ProviderCredentialStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, slot: ProviderSlot): Promise<ProviderCredential | undefined>;
  /** Those that were ever configured: one batch read. */
  list(organizationId: OrganizationId): Promise<readonly ProviderCredential[]>;
  /**
   * Writes it in place of the one that was read, with the idempotency record when one is given, whose result it becomes. False
   * when it has changed since.
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
