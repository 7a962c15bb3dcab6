import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { OwnConfiguration } from "./model-configuration.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type ModelConfigurationChange = Partial<
  Omit<OwnConfiguration, "id" | "organizationId" | "createdAt" | "updatedAt" | "revision">
> &
  Pick<OwnConfiguration, "updatedAt">;

interface NameTaken {
  readonly kind: "name_taken";
  /** The configuration that has it. */
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
  /** By so many workflows. */
  | { readonly kind: "named"; readonly workflowCount: number };

/** The organizations' own. Workflows that name one are counted by the transactions of the workflows' store. */
export interface ModelConfigurationStore {
  /** The existing ones, unordered: one batch read, none for no ids. */
  findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly OwnConfiguration[]>;
  /** Oldest first: one query. */
  list(organizationId: OrganizationId): Promise<readonly OwnConfiguration[]>;
  /** Writes configuration, name, count and any idempotency record in one transaction. @throws {AlreadyOnRecord} */
  create(configuration: OwnConfiguration, idempotency?: Idempotency): Promise<CreateConfigurationOutcome>;
  /**
   * One conditional write; with a new name or an idempotency record, one read and one transaction.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    id: string,
    change: ModelConfigurationChange,
    idempotency?: Idempotency,
  ): Promise<UpdateConfigurationOutcome>;
  /** One read and one transaction, on the condition that no workflow names it. @throws {AlreadyOnRecord} */
  remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveConfigurationOutcome>;
}
