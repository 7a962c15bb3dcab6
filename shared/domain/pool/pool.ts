import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A named group of machines. Timestamps are ISO 8601. */
export interface Pool {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** Unique in the organization. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Names of the sensitive parameters; the values are in the secret store only. */
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /**
   * Exact: changed by the very transaction that adds or removes members. A machine that is being deleted leaves its
   * pools shortly after it is hidden.
   */
  readonly machineCount: number;
  readonly createdAt: string;
  /** When the pool's own fields changed last; membership changes leave it unchanged. */
  readonly updatedAt: string;
  /** When it was hidden; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Incremented with each change of the pool's own fields. */
  readonly revision: number;
}
