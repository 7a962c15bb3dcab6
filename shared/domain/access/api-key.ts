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

export interface ApiKeyStore {
  /** Consistent, so that a new key works at once and a revoked one is refused as soon as it is read. */
  find(keyId: string): Promise<ApiKey | undefined>;
  create(key: ApiKey): Promise<void>;
  /** Newest first. */
  list(organizationId: OrganizationId): Promise<readonly ApiKey[]>;
  /**
   * Marks the key revoked and due, so that the sweeper closes its connections. A repeat keeps the first timestamp.
   * Undefined when there is no such key.
   */
  revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined>;
  /** Revoked keys whose connections are still to be closed. */
  listRevokedDue(limit: number): Promise<readonly ApiKey[]>;
  /** Clears the due mark: the connections of this revoked key are closed. */
  settleRevoked(keyId: string): Promise<void>;
}
