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

/** The scopes of a request with that key. */
export function callerOfKey(key: ApiKey): Caller {
  return {
    kind: "api_key",
    organizationId: key.organizationId,
    userId: key.userId,
    principal: key.id,
    keyId: key.id,
    scopes: key.scopes,
  };
}
