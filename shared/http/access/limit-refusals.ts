import { DomainError } from "../../domain/errors.ts";
import type { RateLimitDeps } from "../http-deps.ts";
import { addressGroup } from "./limit-address.ts";
import { requireAllowed } from "./limit-rate.ts";

/**
 * Refused credentials of one address in a window of 60 s; handshakes are counted apart. Only refusals count: an office
 * may have hundreds of programs and desktops behind one address.
 */
export const refusalsPerMinuteMax = 60;

/**
 * Counts an authentication of that address if its credentials are refused. One write for a refusal, and none from the
 * limit on.
 *
 * @throws {DomainError} `rate_limited` instead of the refusals above the limit.
 */
export async function limitRefusals<T>(
  deps: Pick<RateLimitDeps, "rateLimiter">,
  { name, address }: { readonly name: "request" | "connect"; readonly address: string },
  authenticate: () => Promise<T>,
): Promise<T> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid_credentials") {
      const bucket = `address#${name}#${addressGroup(address)}`;
      requireAllowed(await deps.rateLimiter.take({ name: bucket, limit: refusalsPerMinuteMax }));
    }
    throw error;
  }
}
