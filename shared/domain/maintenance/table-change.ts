/** What a write of the table has left to be done. */
export type TableChange =
  /** A machine was marked deleted. */
  | { readonly kind: "machine_deleted"; readonly organizationId: string; readonly machineId: string }
  /** A pool was marked deleted. */
  | { readonly kind: "pool_deleted"; readonly organizationId: string; readonly poolId: string }
  /** A closed connection is no longer kept, and has to come off its organization's count. */
  | { readonly kind: "connection_expired"; readonly organizationId: string; readonly connectionId: string };
