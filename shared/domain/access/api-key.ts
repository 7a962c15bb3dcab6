import type { Scope } from "../../vocabulary/access.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A stored key: its secret's digest, never the secret. */
export interface ApiKey {
  /** The `key_service_key_id` of the machines bound to this key. */
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
  /** Null means that they were not kept. */
  readonly last4: string | null;
}

export function isUsable({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/** A separate row, so that closing the connections of a revoked or expired key changes no key. */
export interface Revocation {
  readonly keyId: string;
  readonly revokedAt: string;
  /** Undefined means that the operator's program revoked the key. */
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

/** The response to a repeat under the same Idempotency-Key, encrypted in the table. */
interface Recorded {
  readonly idempotency: Idempotency | undefined;
  readonly result: unknown;
}

export interface ApiKeyStore {
  /** The read is consistent, so that a new key works at once and a revoked one is refused at once. */
  find(keyId: string): Promise<ApiKey | undefined>;
  create(key: ApiKey): Promise<void>;
  /** The sweeper finds the key once it has expired. */
  createOwn(key: ApiKey, record: Recorded): Promise<void>;
  /** Leaves a revocation for the sweeper to settle. Returns false when there is no such key. */
  remove(key: ApiKey, removedAt: string, idempotency?: Idempotency): Promise<boolean>;
  /** The count is eventually consistent. */
  count(organizationId: OrganizationId): Promise<number>;
  /** Lists newest first. */
  list(organizationId: OrganizationId): Promise<readonly ApiKey[]>;
  /** Leaves a revocation, like `remove`. A repeat keeps the first timestamp. Returns undefined without such a key. */
  revoke(keyId: string, revokedAt: string): Promise<ApiKey | undefined>;
  /** Records that a key was used in that hour; the first record of an hour counts. */
  noteUse(keyId: string, hour: string): Promise<void>;
  /** Returns the hours of last use by key id, without keys that were never used. */
  lastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Lists the oldest unsettled ones; a key that expires is listed once it has expired. */
  listRevocations(limit: number, nowMs: number): Promise<readonly Revocation[]>;
  settleRevocation(keyId: string): Promise<void>;
}
