import { DomainError } from "../../domain/errors.ts";
import type { RateLimitDeps } from "../http-deps.ts";
import { addressGroup } from "./limit-address.ts";
import { requireAllowed } from "./limit-rate.ts";

/** Only refusals count, in a window of 60 s: an office may have hundreds of desktops behind one address. */
export const refusalsPerMinuteMax = 60;

/** Writes once for each refusal up to the limit, above which it throws. @throws {DomainError} `rate_limited` */
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
