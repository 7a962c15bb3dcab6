import type { Scope } from "../../vocabulary/access.ts";
import type { ApiKey } from "./api-key.ts";
import type { Caller } from "./caller.ts";

export interface SessionVerifier {
  /** Undefined for an invalid token. @throws {DomainError} `service_unavailable` without the issuer's keys */
  verify(token: string): Promise<Caller | undefined>;
}

/** The scope `admin` is all of `write`, and more. */
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
