import type { OrganizationId } from "../../organization-id.ts";
import type { SecretOwner } from "../run.ts";

/** An owner's current secret. */
export type OwnedSecret = SecretOwner & { readonly secretName: string };

export interface SecretOwnerStore {
  /** All of them in one batch read. Owners that are gone or no longer have a secret are left out. */
  read(organizationId: OrganizationId, owners: readonly SecretOwner[]): Promise<readonly OwnedSecret[]>;
}
