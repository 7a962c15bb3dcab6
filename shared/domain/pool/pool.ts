import type { OrganizationId } from "../access/organization-id.ts";
import type { JsonObject } from "../json.ts";

/** A named group of machines. Timestamps are ISO 8601. */
export interface Pool {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** Unique in the organization. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Names of the sensitive parameters; their values lie in the secret store alone. */
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /**
   * Members, exact at once: changed by the very transaction that adds or removes them. A machine that is being
   * deleted leaves its pools a moment after it is hidden.
   */
  readonly machineCount: number;
  readonly createdAt: string;
  /** Of the pool's own fields; members come and go without it. */
  readonly updatedAt: string;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each change of the pool's own fields. */
  readonly revision: number;
}
