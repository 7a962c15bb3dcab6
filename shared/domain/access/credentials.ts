import type { Scope } from "../../vocabulary/access.ts";
import type { ApiKey } from "./api-key.ts";
import type { Caller } from "./caller.ts";

/** Caches a key for 30 s per instance: a revoked key stops within 30 s, and a warm instance reads nothing. */
export interface KeyVerifier {
  /** Returns undefined when the key is malformed, mistyped (no read), unknown, revoked, or has another secret. */
  verify(text: string): Promise<ApiKey | undefined>;
}

export interface SessionVerifier {
  /** Returns undefined for an invalid token. @throws {DomainError} `service_unavailable` without the issuer's keys */
  verify(token: string): Promise<Caller | undefined>;
}

/** The scope `admin` includes `write`. */
export function callerOfKey(key: ApiKey): Caller {
  return {
    kind: "api_key",
    organizationId: key.organizationId,
    userId: key.userId,
    principal: key.id,
    keyId: key.id,
    scopes: key.scopes.includes("admin") ? [...new Set<Scope>([...key.scopes, "write"])] : key.scopes,
  };
}
