import { DomainError } from "../errors.ts";

/** The window of a bucket that names none. */
export const rateWindowSeconds = 60;

export interface RateBucket {
  /** A name such as `jwt-user#<user id>`, `address#<address>` or `connect#<machine>`. It never contains a secret. */
  readonly name: string;
  readonly limit: number;
  /** @default rateWindowSeconds */
  readonly windowSeconds?: number;
}

export type RateDecision =
  | {
      readonly kind: "allowed";
      readonly limit: number;
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  | {
      readonly kind: "refused";
      readonly limit: number;
      readonly resetSeconds: number;
      readonly retryAfterSeconds: number;
    };

export interface RateLimiter {
  /** Counts one request, in one write. Requests that a full bucket refuses are not counted. */
  take(bucket: RateBucket): Promise<RateDecision>;
}

/** @throws {DomainError} `rate_limited`, with the sentence given and the time to wait. */
export async function requireRoom(
  deps: { readonly rateLimiter: RateLimiter },
  bucket: RateBucket,
  problem: string,
): Promise<void> {
  const decision = await deps.rateLimiter.take(bucket);
  if (decision.kind === "allowed") return;
  throw new DomainError("rate_limited", problem, { retryAfterSeconds: decision.retryAfterSeconds });
}
