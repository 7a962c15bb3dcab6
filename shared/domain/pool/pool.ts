import type { Edited } from "../entity/edition.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface Pool extends Edited {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** The name is unique in the organization. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /** The transaction that adds or removes members changes the count, so it is exact. */
  readonly machineCount: number;
  readonly createdAt: string;
  /** Membership changes leave the timestamp unchanged. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}
