import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface Pool {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** Unique in the organization. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /** The transaction that adds or removes members changes it, so it is exact. */
  readonly machineCount: number;
  readonly createdAt: string;
  /** Membership changes leave it unchanged. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}
