import type { Caller } from "../access/caller.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Who did something, and from where. */
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
  /** The audit event's: however many writes the request takes, it is one event. */
  readonly id: string;
  readonly createdAt: string;
  readonly actor: Actor;
  readonly operation: string;
  readonly requestId: string;
  /** The kind of its row. */
  readonly resourceType: string;
}

export interface AuditEvent extends Act {
  readonly organizationId: OrganizationId;
  readonly resourceId: string;
}

/** The act of a request under way, and what it is about. */
export interface ActUnderWay extends Act {
  /** The one that the path names; undefined where the request makes it, or is about several: then the first written. */
  resourceId: string | undefined;
  /** Whether it makes the resource. */
  readonly isNew: boolean;
}

/** Carries a request's act to the table, past verbs and ports that have no use for it. */
export interface Acts {
  run<T>(act: ActUnderWay, work: () => T): T;
  /** Undefined for what the service does by itself. */
  current(): ActUnderWay | undefined;
}
