import type { OrganizationId } from "../access/organization-id.ts";
import type { DeletableKind } from "./deletions.ts";

/** What a write of the table has left to be done. */
export type TableChange =
  /** An entity was marked deleted. */
  | {
      readonly kind: "deleted";
      readonly entity: DeletableKind;
      readonly organizationId: OrganizationId;
      readonly id: string;
    }
  /** A run has ended, and still has a secret. */
  | {
      readonly kind: "run_ended";
      readonly organizationId: OrganizationId;
      readonly runId: string;
      readonly secretName: string;
    }
  /** An item no longer names an object of the bucket: other data has taken its place. */
  | { readonly kind: "object_replaced"; readonly organizationId: OrganizationId; readonly objectKey: string }
  /** A closed connection is no longer kept, and has to come off its organization's count. */
  | {
      readonly kind: "connection_expired";
      readonly organizationId: OrganizationId;
      readonly connectionId: string;
    };
