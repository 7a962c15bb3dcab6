import type { OrganizationId } from "../../access/organization-id.ts";
import type { SecretOwner } from "../run.ts";

/** An owner's sensitive parameters as they are now. */
export type OwnedSecret = SecretOwner & { readonly secretName: string };

export interface SecretOwnerStore {
  /** All of them in one batch read. Who is gone, or has no secret any more, is left out. */
  read(organizationId: OrganizationId, owners: readonly SecretOwner[]): Promise<readonly OwnedSecret[]>;
}
