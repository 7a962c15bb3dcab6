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

/** A request that changes a resource, as the item that it changes says. */
export interface Act {
  /** However many writes the request takes, it is one event. */
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
  /** Undefined where the request makes it, or is about several: then the first written counts. */
  resourceId: string | undefined;
  readonly isNew: boolean;
}

/** Carries a request's act to the table, past verbs and ports that have no use for it. */
export interface Acts {
  run<T>(act: ActUnderWay, work: () => T): T;
  /** Undefined for what the service does by itself. */
  current(): ActUnderWay | undefined;
}
