import { type OrganizationId, organizationIdOf } from "../domain/access/organization-id.ts";
import type { SecretOwner } from "../domain/secret-store.ts";
import { organizationOfSegment } from "./organization-segment.ts";
import { secretName } from "./secret-name.ts";

const kinds: readonly string[] = [
  "machine",
  "pool",
  "run",
  "provider",
] satisfies readonly SecretOwner["kind"][];

/** Whose secret a name says it is. */
export interface OwnerOfSecret {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
}

/**
 * Reads back what `secretName` wrote.
 *
 * Undefined for the name of anything else, and for an organization whose id was too long to be in the name: the
 * result is used to delete, so what does not lead back to the very same name is nobody's.
 */
export function ownerOfSecret(deployment: string, name: string): OwnerOfSecret | undefined {
  const [, , segment = "", kind = "", ownerId = "", id = ""] = name.split("/");
  if (!isKind(kind)) return undefined;
  const owner = { kind, id: ownerId };
  const organizationId = organizationIdOf(organizationOfSegment(segment));
  try {
    if (secretName(deployment, organizationId, owner, id) !== name) return undefined;
  } catch {
    // Not made of UUIDs, or of an empty organization: no name of ours.
    return undefined;
  }
  return { organizationId, owner };
}

function isKind(text: string): text is SecretOwner["kind"] {
  return kinds.includes(text);
}
