import { createHash } from "node:crypto";
import type { OrganizationId } from "../domain/organization-id.ts";

const encodedMax = 200;

/**
 * An organization's id as one segment of a secret's name or an object's key: bytes other than letters, digits, `_` and
 * `-` become `.XX`, and a segment above 200 characters becomes `..` and the id's SHA-256. No two ids share a segment.
 */
export function organizationSegment(organizationId: OrganizationId): string {
  let encoded = "";
  for (const byte of Buffer.from(organizationId, "utf8")) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9_-]/.test(character)
      ? character
      : `.${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  if (encoded === "") throw new Error("an organization's id must not be empty");
  if (encoded.length <= encodedMax) return encoded;
  return `..${createHash("sha256").update(organizationId, "utf8").digest("hex")}`;
}

/** Decodes a text of `organizationSegment`. Other texts give nonsense, which does not encode back to them. */
export function organizationOfSegment(segment: string): string {
  const bytes = segment.match(/\.[0-9A-F]{2}|[^.]/g) ?? [];
  return Buffer.concat(
    bytes.map((piece) => (piece.length === 3 ? Buffer.from(piece.slice(1), "hex") : Buffer.from(piece))),
  ).toString("utf8");
}
