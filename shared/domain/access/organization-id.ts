declare const brand: unique symbol;

/**
 * The tenant that something belongs to. A type of its own, so that swapped arguments do not compile: it is made
 * where credentials, rows, tickets and frames are read, and only handed on from there.
 */
export type OrganizationId = string & { readonly [brand]: "OrganizationId" };

/** For those edges alone: says of a text, read from where it can be trusted, that it names a tenant. */
export function organizationIdOf(text: string): OrganizationId {
  return text as OrganizationId;
}
