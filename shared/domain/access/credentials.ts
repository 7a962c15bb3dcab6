import type { Scope } from "../../vocabulary/access.ts";
import type { ApiKey } from "./api-key.ts";
import type { Caller } from "./caller.ts";

/** Verifies a dashboard's JWT. */
export interface SessionVerifier {
  /**
   * Undefined when it is malformed, expired, for another audience, or not signed by the issuer.
   *
   * @throws {DomainError} `service_unavailable` when the issuer's keys cannot be read.
   */
  verify(token: string): Promise<Caller | undefined>;
}

/** Who makes a request with that key: `admin` is all of `write`, and more. */
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
