import type { ApiKey } from "./api-key.ts";
import type { Caller } from "./caller.ts";

/** Tells whether a dashboard's JWT is to be believed. */
export interface SessionVerifier {
  /**
   * Undefined when it is malformed, expired, for another audience, or not signed by the issuer.
   *
   * @throws {DomainError} `service_unavailable` when the issuer's keys cannot be read.
   */
  verify(token: string): Promise<Caller | undefined>;
}

/** What a request with that key may do. */
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
