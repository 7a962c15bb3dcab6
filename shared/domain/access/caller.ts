import type { CallerKind, Scope } from "../../vocabulary/access.ts";
import { DomainError } from "../errors.ts";
import { type OrganizationId, organizationIdOf } from "../organization-id.ts";

export interface Caller {
  readonly kind: CallerKind;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  /** Identifies the principal in rate limits and idempotency: the key's id, the session's user id, or an address. */
  readonly principal: string;
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
  /** The end of a dashboard session; absent for all others. */
  readonly sessionEndsAtMs?: number;
}

/** The service itself, at work on a run of that organization. */
export function serviceCaller(organizationId: OrganizationId, runId: string): Caller {
  return {
    kind: "service",
    organizationId,
    userId: "",
    principal: `run#${runId}`,
    keyId: null,
    scopes: ["worker"],
  };
}

export function anonymousCaller(address: string): Caller {
  return {
    kind: "anonymous",
    organizationId: organizationIdOf("anonymous"),
    userId: "",
    principal: `address#${address}`,
    keyId: null,
    scopes: [],
  };
}

/** @throws {DomainError} `insufficient_scope` when the caller has none of them. */
export function requireScope(caller: Caller, ...anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw new DomainError(
    "insufficient_scope",
    `this operation needs the scope ${anyOf.join(" or ")}; the credentials have ${caller.scopes.join(", ") || "none"}`,
    { details: { required: anyOf, given: caller.scopes } },
  );
}
