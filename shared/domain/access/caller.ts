import { DomainError } from "../errors.ts";
import { type OrganizationId, organizationIdOf } from "./organization-id.ts";

/** What a key may do. A dashboard session has `read` and `write`. */
export const scopes = ["read", "write", "driver", "worker", "operator"] as const;

export type Scope = (typeof scopes)[number];

/** Who asks, once the credentials have been verified. */
export interface Caller {
  /** `anonymous` only where no credentials are needed: it has no scope and no organization's name. */
  readonly kind: "api_key" | "session" | "anonymous";
  readonly organizationId: OrganizationId;
  /** UUID of the key's user, or of the session's. */
  readonly userId: string;
  /** Names the principal in rate limits and idempotency: the key's id, the session's user id, or an address. */
  readonly principal: string;
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
}

/** Whoever calls without credentials from an address. */
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
