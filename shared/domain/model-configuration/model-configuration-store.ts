import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { OwnConfiguration } from "./model-configuration.ts";

export type ModelConfigurationChange = Partial<
  Omit<OwnConfiguration, "id" | "organizationId" | "createdAt" | "updatedAt" | "revision">
> &
  Pick<OwnConfiguration, "updatedAt">;

interface NameTaken {
  readonly kind: "name_taken";
  readonly id: string;
}

export type CreateConfigurationOutcome =
  | { readonly kind: "created" }
  | { readonly kind: "limit_reached" }
  | NameTaken;

export type UpdateConfigurationOutcome =
  | { readonly kind: "updated"; readonly configuration: OwnConfiguration }
  | { readonly kind: "not_found" }
  | { readonly kind: "changed" }
  | NameTaken;

export type RemoveConfigurationOutcome =
  | { readonly kind: "removed" }
  | { readonly kind: "not_found" }
  | { readonly kind: "named"; readonly workflowCount: number };

/** Stores the organizations' own configurations. The workflows' store counts the workflows that name one. */
export interface ModelConfigurationStore {
  /** Returns the existing ones, unordered. */
  findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly OwnConfiguration[]>;
  /** Lists oldest first. */
  list(organizationId: OrganizationId): Promise<readonly OwnConfiguration[]>;
  create(configuration: OwnConfiguration, idempotency?: Idempotency): Promise<CreateConfigurationOutcome>;
  /** Makes one conditional write; with a new name or an idempotency record, one read and one transaction. */
  update(
    organizationId: OrganizationId,
    id: string,
    change: ModelConfigurationChange,
    idempotency?: Idempotency,
  ): Promise<UpdateConfigurationOutcome>;
  remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveConfigurationOutcome>;
}
