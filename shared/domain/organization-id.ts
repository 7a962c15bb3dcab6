declare const brand: unique symbol;

/** A tenant's id. Swapped arguments do not compile; only credentials, rows, tickets and frames create one. */
export type OrganizationId = string & { readonly [brand]: "OrganizationId" };

/** The id becomes part of keys, names and paths. */
const rule = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function isOrganizationId(text: unknown): text is OrganizationId {
  return typeof text === "string" && rule.test(text);
}

/** Marks trusted text as a tenant's id, only where credentials, rows, tickets and frames are read. */
export function organizationIdOf(text: string): OrganizationId {
  return text as OrganizationId;
}
