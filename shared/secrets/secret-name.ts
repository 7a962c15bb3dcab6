import type { OrganizationId } from "../domain/organization-id.ts";
import type { SecretOwner } from "../domain/secret-store.ts";
import { organizationSegment } from "./organization-segment.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const slot = /^[a-z][a-z_]{0,31}$/;

/** The prefix of one deployment's customer secrets; grants and the sweeper stay inside it. */
export function secretPrefix(deployment: string): string {
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(deployment)) {
    throw new Error("a deployment's name must be 1 to 20 of a-z, 0-9 and -, beginning with a letter");
  }
  return `das/${deployment}/`;
}

/** Returns `das/<deployment>/<organization>/<kind>/<owner's id>/<id>`, within the 512 characters of a secret's name. */
export function secretName(
  deployment: string,
  organizationId: OrganizationId,
  owner: SecretOwner,
  id: string,
): string {
  const isOwned = owner.kind === "provider" ? slot.test(owner.id) : uuid.test(owner.id);
  if (!isOwned || !uuid.test(id))
    throw new Error("a secret's name is made of UUIDs in lower case, or a slot");
  return `${secretPrefix(deployment)}${organizationSegment(organizationId)}/${owner.kind}/${owner.id}/${id}`;
}
