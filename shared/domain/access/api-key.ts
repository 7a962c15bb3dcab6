import type { Scope } from "./caller.ts";
import type { OrganizationId } from "./organization-id.ts";

/** A stored key: its secret's digest, never the secret. */
export interface ApiKey {
  /** `key_service_key_id` of the machines bound to it. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the secret, lower-case hex. */
  readonly secretDigest: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** That the connections of a revoked key are still to be closed. A row of its own: who closes them writes no keys. */
export interface Revocation {
  readonly keyId: string;
  readonly revokedAt: string;
}

export interface ApiKeyStore {
  /** Consistent, so that a new key works at once and a revoked one is refused as soon as it is read. */
  find(keyId: string): Promise<ApiKey | undefined>;
  create(key: ApiKey): Promise<void>;
  /** Newest first. */
  list(organizationId: OrganizationId): Promise<readonly ApiKey[]>;
  /**
   * Marks the key revoked, with a revocation for the sweeper to settle. A repeat keeps the first timestamp.
   * Undefined when there is no such key.
   */
  revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined>;
  /** Notes that a key was used in that hour; the first of several notes counts. At most one write. */
  noteUse(keyId: string, hour: string): Promise<void>;
  /** The hours of their last uses, by id; nothing for a key that was never used. */
  lastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The oldest ones that are not settled. */
  listRevocations(limit: number): Promise<readonly Revocation[]>;
  /** Removes the revocation: the connections of the key are closed. */
  settleRevocation(keyId: string): Promise<void>;
}
