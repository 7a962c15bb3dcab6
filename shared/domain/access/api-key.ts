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
  /** Refused from then on. */
  readonly expiresAt: string | null;
  /** The last four characters of its text; null where they were not kept. */
  readonly last4: string | null;
}

export function isUsable({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/**
 * That the connections of a revoked key are still to be closed, or those of a key that expires then. A row of its own:
 * who closes them writes no keys.
 */
export interface Revocation {
  readonly keyId: string;
  readonly revokedAt: string;
  /** Undefined for one by the operator's program. */
  readonly organizationId?: OrganizationId | undefined;
}

/** A key that has just been made. */
export interface MintedApiKey {
  readonly id: string;
  /** Shown once. */
  readonly text: string;
  /** SHA-256 of the secret, in lower-case hex, which alone is stored. */
  readonly digest: string;
}

/** The last characters of a key's text, by which people tell keys apart. */
export function last4Of({ text }: MintedApiKey): string {
  return text.slice(-4);
}

/**
 * The id of a key that an organization makes: of version 8, so that an id alone says in which partition the key is, and
 * a function that writes organizations' own keys can write none of the operator's program.
 */
export function ownKeyIdOf(uuid7: string): string {
  const digits = uuid7.replaceAll("-", "");
  return `${digits.slice(0, 12)}8${digits.slice(13)}`;
}

export function isOwnKeyId(keyId: string): boolean {
  return /^[0-9a-f]{12}8[0-9a-f]{19}$/.test(keyId);
}

/** As the API writes a key's id. */
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
  /**
   * Creates one of the organization's own, which the sweeper finds once it has expired, and puts the result on record.
   *
   * @throws {AlreadyOnRecord}
   */
  createOwn(key: ApiKey, record: Recorded): Promise<void>;
  /**
   * Removes a key and leaves a revocation for the sweeper to settle. False when there is no such key.
   *
   * @throws {AlreadyOnRecord}
   */
  remove(key: ApiKey, removedAt: string, idempotency?: Idempotency): Promise<boolean>;
  /** How many keys the organization has; eventually consistent. */
  count(organizationId: OrganizationId): Promise<number>;
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
  /** The oldest ones that are not settled; of keys that expire, those that have by then. */
  listRevocations(limit: number, nowMs: number): Promise<readonly Revocation[]>;
  /** Removes the revocation: the connections of the key are closed. */
  settleRevocation(keyId: string): Promise<void>;
}
