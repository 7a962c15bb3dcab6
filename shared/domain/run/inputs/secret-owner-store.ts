import type { OrganizationId } from "../../organization-id.ts";
import type { SecretOwner } from "../run.ts";

export type OwnedSecret = SecretOwner & { readonly secretName: string };

export interface SecretOwnerStore {
  /** One batch read; owners without a secret are left out. */
  read(organizationId: OrganizationId, owners: readonly SecretOwner[]): Promise<readonly OwnedSecret[]>;
}
