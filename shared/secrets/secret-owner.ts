import type { OwnerOfSecret } from "../domain/maintenance/unnamed/remove-unnamed-secrets.ts";
import { organizationIdOf } from "../domain/organization-id.ts";
import { type SecretKind, secretKinds } from "../vocabulary/files.ts";
import { organizationOfSegment } from "./organization-segment.ts";
import { secretName } from "./secret-name.ts";

/** The result is used to delete, so a name counts only if its owner leads back to exactly that name. */
export function ownerOfSecret(deployment: string, name: string): OwnerOfSecret | undefined {
  const [, , segment = "", kind = "", ownerId = "", id = ""] = name.split("/");
  if (!isKind(kind)) return undefined;
  const owner = { kind, id: ownerId };
  const organizationId = organizationIdOf(organizationOfSegment(segment));
  try {
    if (secretName(deployment, organizationId, owner, id) !== name) return undefined;
  } catch {
    // The name is not made of UUIDs, or has an empty organization, so the service did not make it.
    return undefined;
  }
  return { organizationId, owner };
}

function isKind(text: string): text is SecretKind {
  return secretKinds.some((kind) => kind === text);
}
