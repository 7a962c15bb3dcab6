import type { Caller } from "../access/caller.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface Actor {
  readonly kind: Caller["kind"];
  readonly principal: string;
  readonly userId: string;
  readonly address: string;
}

export function actorOf({ kind, principal, userId }: Caller, address: string): Actor {
  return { kind, principal, userId, address };
}

/** The request that changed a resource, as recorded in the changed item. */
export interface Act {
  /** All writes of a request make one event. */
  readonly id: string;
  readonly createdAt: string;
  readonly actor: Actor;
  readonly operation: string;
  readonly requestId: string;
  readonly resourceType: string;
}

export interface AuditEvent extends Act {
  readonly organizationId: OrganizationId;
  readonly resourceId: string;
}

export interface ActUnderWay extends Act {
  /** Undefined where the request creates the resource or concerns several, of which the first written counts. */
  resourceId: string | undefined;
  readonly isNew: boolean;
}

/** Carries a request's act to the table, past verbs and ports that do not need it. */
export interface Acts {
  run<T>(act: ActUnderWay, work: () => T): T;
  /** Returns undefined for work that the service does by itself. */
  current(): ActUnderWay | undefined;
}
