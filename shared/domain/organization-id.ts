declare const brand: unique symbol;

/** A tenant. Swapped arguments do not compile; created only where credentials, rows, tickets and frames are read. */
export type OrganizationId = string & { readonly [brand]: "OrganizationId" };

/** The id becomes part of keys, names and paths. */
const rule = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function isOrganizationId(text: unknown): text is OrganizationId {
  return typeof text === "string" && rule.test(text);
}

/** For those edges only: marks trusted text as a tenant's id. */
export function organizationIdOf(text: string): OrganizationId {
  return text as OrganizationId;
}
