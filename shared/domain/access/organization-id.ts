declare const brand: unique symbol;

/**
 * The tenant that something belongs to. A type of its own, so that swapped arguments do not compile: created only where
 * credentials, rows, tickets and frames are read.
 */
export type OrganizationId = string & { readonly [brand]: "OrganizationId" };

/** For those edges only: marks trusted text as a tenant's id. */
export function organizationIdOf(text: string): OrganizationId {
  return text as OrganizationId;
}
