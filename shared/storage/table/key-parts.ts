import { createHash } from "node:crypto";
import type { OrganizationId } from "../../domain/organization-id.ts";

/** DynamoDB accepts 2,048 bytes of a partition's key. */
const partCharactersMax = 1_024;

/** A UUID of version 7 has this many digits for its timestamp. */
const timestampDigits = 12;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The encoding never produces the separator `#`, so that no id reaches into another partition. */
export function part(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** An index has many rows, of 200 bytes at most; a filter's text may be longer than a key. */
export function short(id: string): string {
  if (uuid.test(id)) return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
  const text = part(id);
  return text.length > partCharactersMax ? hashed(id) : text;
}

export function hashed(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url").slice(0, 22);
}

/** An attribute's name has no other characters. */
export function hexDigest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, 16);
}

export function inOrganization(organizationId: OrganizationId, ...rest: readonly string[]): string {
  return ["ORG", part(organizationId), ...rest].join("#");
}

/** The timestamp is the entity's own, so that a time range is a range of keys, exact to the millisecond. */
export function createdSortKey(createdAtMs: number, id: string): string {
  return hexTimestamp(createdAtMs) + id.replaceAll("-", "").slice(timestampDigits);
}

export function isUuid7(id: string): boolean {
  return uuid.test(id) && id[14] === "7";
}

export function timestampOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, timestampDigits), 16);
}

export function hexTimestamp(ms: number): string {
  const bounded = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1);
  return bounded.toString(16).padStart(timestampDigits, "0");
}

/** The last digit of an id is random in a UUID of version 7. */
export function hexTail(id: string): string {
  const tail = id.at(-1) ?? "0";
  return /[0-9a-f]/i.test(tail) ? tail : "0";
}
