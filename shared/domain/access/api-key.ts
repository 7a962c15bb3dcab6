import type { Scope } from "../../vocabulary/access.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";

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
  readonly expiresAt: string | null;
  /** Null where they were not kept. */
  readonly last4: string | null;
}

export function isUsable({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/** A row of its own, so that closing the connections of a revoked or expired key writes no keys. */
export interface Revocation {
  readonly keyId: string;
  readonly revokedAt: string;
  /** Undefined for one by the operator's program. */
  readonly organizationId?: OrganizationId | undefined;
}

export interface MintedApiKey {
  readonly id: string;
  readonly text: string;
  readonly digest: string;
}

/** The last characters of a key's text, by which people tell keys apart. */
export function last4Of({ text }: MintedApiKey): string {
  return text.slice(-4);
}

/** Version 8 says in which partition the key is: a function that writes organizations' keys can write no others. */
export function ownKeyIdOf(uuid7: string): string {
  const digits = uuid7.replaceAll("-", "");
  return `${digits.slice(0, 12)}8${digits.slice(13)}`;
}

export function isOwnKeyId(keyId: string): boolean {
  return /^[0-9a-f]{12}8[0-9a-f]{19}$/.test(keyId);
}

export function uuidOfKeyId(keyId: string): string {
  return keyId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The response to a repeat under the same Idempotency-Key; encrypted in the table. */
interface Recorded {
  readonly idempotency: Idempotency | undefined;
  readonly result: unknown;
}

export interface ApiKeyStore {
  /** Consistent, so that a new key works at once and a revoked one is refused as soon as it is read. */
  find(keyId: string): Promise<ApiKey | undefined>;
  create(key: ApiKey): Promise<void>;
  /** The sweeper finds the key once it has expired. */
  createOwn(key: ApiKey, record: Recorded): Promise<void>;
  /** Leaves a revocation for the sweeper to settle; false when there is no such key. */
  remove(key: ApiKey, removedAt: string, idempotency?: Idempotency): Promise<boolean>;
  /** Eventually consistent. */
  count(organizationId: OrganizationId): Promise<number>;
  /** Newest first. */
  list(organizationId: OrganizationId): Promise<readonly ApiKey[]>;
  /** Leaves a revocation, too. A repeat keeps the first timestamp; undefined when there is no such key. */
  revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined>;
  /** Notes that a key was used in that hour; the first of several notes counts. */
  noteUse(keyId: string, hour: string): Promise<void>;
  /** The hours of their last uses, by id; nothing for a key that was never used. */
  lastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The oldest ones that are not settled; of keys that expire, those that have by then. */
  listRevocations(limit: number, nowMs: number): Promise<readonly Revocation[]>;
  settleRevocation(keyId: string): Promise<void>;
}
