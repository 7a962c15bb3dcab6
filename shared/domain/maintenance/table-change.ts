import type { ExecutionJob } from "../execution/execution.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { DeletableKind } from "./deletions.ts";

export type TableChange =
  | {
      readonly kind: "deleted";
      readonly entity: DeletableKind;
      readonly organizationId: OrganizationId;
      readonly id: string;
    }
  /** A run that still has a secret has ended. */
  | {
      readonly kind: "run_ended";
      readonly organizationId: OrganizationId;
      readonly runId: string;
      readonly secretId: string;
    }
  /** A run was assigned that the service carries out. */
  | { readonly kind: "execution_due"; readonly job: ExecutionJob; readonly organizationId: OrganizationId }
  /** An item no longer names objects of the bucket: its data was replaced. */
  | {
      readonly kind: "objects_replaced";
      readonly organizationId: OrganizationId;
      readonly objectKeys: readonly string[];
    }
  /** A closed connection has expired: its organization's count must be decremented. */
  | {
      readonly kind: "connection_expired";
      readonly organizationId: OrganizationId;
      readonly connectionId: string;
    };
